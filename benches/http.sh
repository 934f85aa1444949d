#!/usr/bin/env bash
# How fast the server answers, next to a web server that answers constants of the same size: both in one run, with passwords, access log and
# journal on. Needs wrk. Prints, for reading one volume, reading a page of 100 and creating a volume: requests a second, the 99th percentile,
# and both as ratios. `SECONDS_EACH=5 ROUNDS=3 benches/http.sh`
set -euo pipefail
cd "$(dirname "$0")/.."

command -v wrk >/dev/null || { echo "benches/http.sh needs wrk" >&2; exit 1; }
each=${SECONDS_EACH:-5} rounds=${ROUNDS:-3} volumes=10000
target=x86_64-unknown-linux-gnu
RUSTFLAGS="-C target-feature=+crt-static" cargo build --quiet --locked --release --target "$target" --bin arrayplane --example bare
program=${ARRAYPLANE_BIN:-target/$target/release/arrayplane}

work=$(mktemp -d) servers=()
trap 'kill "${servers[@]}" 2>/dev/null; rm -rf "$work"' EXIT
export ARRAYPLANE_PASSWORD=correct-horse-1

"$program" serve bench=unlimited --listen 127.0.0.1:0 2>"$work/log" &
servers+=($!)
until url=$(grep -o 'http://127.0.0.1:[0-9]*' "$work/log" | head -n 1) && [ -n "$url" ]; do sleep 0.05; done
array=$url/v1/arrays/bench
ask() { curl -sSf -u "admin:$ARRAYPLANE_PASSWORD" -H 'Content-Type: application/json' "$@"; }
ask -o /dev/null "$array/pools" -d '{"name": "P0", "level": "raid6", "drive_count": 24}'
ask -o /dev/null "$array/volumes" -d "{\"name\": \"V\", \"pool\": \"P0\", \"size\": \"1GiB\", \"count\": $volumes}"
ask -o "$work/one" "$array/volumes/V5000"
ask -o "$work/page" "$array/volumes?limit=100"
ask -o "$work/made" "$array/volumes" -d '{"name": "first", "pool": "P0", "size": "1GiB"}'

"target/$target/release/examples/bare" "$work/one" "$work/page" "$work/made" >"$work/bare" &
servers+=($!)
until bare=$(grep -o 'http://.*' "$work/bare" | head -n 1) && [ -n "$bare" ]; do sleep 0.05; done

authorization="Basic $(printf 'admin:%s' "$ARRAYPLANE_PASSWORD" | base64)"
cat >"$work/post.lua" <<'LUA'
local threads = 0
function setup(thread) thread:set("id", threads); threads = threads + 1 end
local made = 0
function init(args) round = args[1] end
function request()
    made = made + 1
    local body = string.format('{"name": "w%s-%d-%d", "pool": "P0", "size": "1GiB"}', round, id, made)
    return wrk.format("POST", nil, {["Content-Type"] = "application/json", ["Authorization"] = wrk.headers["Authorization"]}, body)
end
LUA

measure() { # URL [SCRIPT ROUND]: requests a second, and the 99th percentile in microseconds
    local url=$1 script=()
    [ $# -eq 1 ] || script=(-s "$2")
    wrk -t2 -c32 -d"${each}s" --latency -H "Authorization: $authorization" "${script[@]}" "$url" ${3:+-- "$3"} >"$work/out"
    ! grep -E 'Non-2xx|Socket errors' "$work/out" >&2 || exit 1
    awk '/Requests\/sec/ {rate = $2} /99%/ {at = $2; n = at + 0; if (at ~ /us$/) n = n; else if (at ~ /ms$/) n *= 1000; else n *= 1000000; p = n} END {print rate, p}' "$work/out"
}

printf '%-22s %10s %10s %7s   %10s %10s %7s\n' what 'ours/s' 'bare/s' ratio 'ours p99us' 'bare p99us' ratio
compare() { # NAME OUR_URL BARE_URL [SCRIPT]: the medians of all rounds
    local round
    : >"$work/ours"
    : >"$work/bares"
    for round in $(seq "$rounds"); do
        measure "$2" ${4:+"$4" "$round"} >>"$work/ours"
        measure "$3" ${4:+"$4" "$round"} >>"$work/bares"
    done
    median() { cut -d' ' -f"$2" "$1" | sort -g | sed -n "$((rounds / 2 + 1))p"; }
    awk -v name="$1" -v a="$(median "$work/ours" 1)" -v b="$(median "$work/bares" 1)" -v c="$(median "$work/ours" 2)" -v d="$(median "$work/bares" 2)" \
        'BEGIN {printf "%-22s %10.0f %10.0f %7.2f   %10.0f %10.0f %7.2f\n", name, a, b, a / b, c, d, c / d}'
}
compare 'GET one volume' "$array/volumes/V5000" "$bare/one"
compare 'GET a page of 100' "$array/volumes?limit=100" "$bare/page"
compare 'POST a volume' "$array/volumes" "$bare/made" "$work/post.lua"
