#!/usr/bin/env bash
# How fast the server answers, next to a web server that answers constants of the same size: both in one run, with passwords, access log and
# journal on. Needs wrk. Prints, for reading one volume, reading a page of 100 and creating a volume, and over TLS for reading 100 of 10,000
# LUNs as an ONTAP client does: requests a second, the 99th percentile, and both as ratios. `SECONDS_EACH=5 ROUNDS=3 benches/http.sh`
set -euo pipefail
cd "$(dirname "$0")/.."

command -v wrk >/dev/null || { echo "benches/http.sh needs wrk" >&2; exit 1; }
each=${SECONDS_EACH:-5} rounds=${ROUNDS:-3} volumes=10000
bare_program=$(docker/static --quiet --package arrayplane-bare)/bare
program=${ARRAYPLANE_BIN:-$(docker/static --quiet --bin arrayplane)/arrayplane}

work=$(mktemp -d) servers=()
trap 'kill "${servers[@]}" 2>/dev/null; rm -rf "$work"' EXIT
export ARRAYPLANE_PASSWORD=correct-horse-1

started() { # LOG PATTERN: what a server that starts says of its address
    until grep -o "$2" "$1" | head -n 1 | grep .; do sleep 0.05; done
}
"$program" serve bench=unlimited --listen 127.0.0.1:0 2>"$work/log" &
servers+=($!)
array=$(started "$work/log" 'http://127.0.0.1:[0-9]*')/v1/arrays/bench
"$program" serve lab=aff-a250 --listen 127.0.0.1:0 --ontap-port 0 --data-dir "$work/data" 2>"$work/ontap.log" &
servers+=($!)
lab=$(started "$work/ontap.log" 'http://127.0.0.1:[0-9]*')/v1/arrays/lab
luns=$(started "$work/ontap.log" 'https://127.0.0.1:[0-9]*/api')/storage/luns

ask() { curl -sSf --insecure -u "admin:$ARRAYPLANE_PASSWORD" -H 'Content-Type: application/json' "$@"; }
ask -o /dev/null "$array/pools" -d '{"name": "P0", "level": "raid6", "drive_count": 24}'
ask -o /dev/null "$array/volumes" -d "{\"name\": \"V\", \"pool\": \"P0\", \"size\": \"1GiB\", \"count\": $volumes}"
ask -o "$work/one" "$array/volumes/V5000"
ask -o "$work/page" "$array/volumes?limit=100"
ask -o "$work/made" "$array/volumes" -d '{"name": "first", "pool": "P0", "size": "1GiB"}'
pool=$(ask "$lab/pools" | grep -o '"name":"[^"]*"' | head -n 1 | cut -d'"' -f4)
for volume in $(seq 0 19); do
    ask -o /dev/null "$lab/containers" -d "{\"name\": \"flex$volume\", \"guarantee\": \"thin\", \"pool\": \"$pool\", \"tenant\": \"svm1\", \"size\": \"600GiB\"}"
    ask -o /dev/null "$lab/volumes" -d "{\"name\": \"lun\", \"container\": \"flex$volume\", \"size\": \"1GiB\", \"count\": $((volumes / 20))}"
done
ask -o "$work/luns" "$luns?max_records=100"
ask -o "$work/lun" "$luns?name=/vol/flex7/lun77"

bare() { # LOG FILE...: starts a server of constants and says where it is
    "$bare_program" "${@:2}" >"$1" &
    servers+=($!)
}
bare "$work/bare" "$work/one" "$work/page" "$work/made"
bare "$work/bare.tls" "$work/lun" "$work/luns" "$work/made" "$work/data/tls.pem" "$work/data/tls.pem"
bare=$(started "$work/bare" 'http://.*') bare_tls=$(started "$work/bare.tls" 'https://.*')

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
# Another LUN, or another page, each time: nothing that was rendered before is of use.
cat >"$work/names.lua" <<'LUA'
function request() return wrk.format("GET", string.format("%s?name=/vol/flex%d/lun%d", wrk.path, math.random(0, 19), math.random(0, 499))) end
LUA
next='?max_records=100'
while [ -n "$next" ]; do
    ask "$luns$next" >"$work/answer"
    next=$(grep -o '"next":{"href":"[^"]*"' "$work/answer" | grep -o '?[^"]*' || true)
    echo "$next" >>"$work/links"
done
cat >"$work/pages.lua" <<LUA
local links = {}
for link in io.lines("$work/links") do if link ~= "" then links[#links + 1] = link end end
function request() return wrk.format("GET", wrk.path .. links[math.random(#links)]) end
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
compare 'GET 100 LUNs, TLS' "$luns?max_records=100" "$bare_tls/page"
compare 'GET other 100s, TLS' "$luns" "$bare_tls/page" "$work/pages.lua"
compare 'GET a LUN by name, TLS' "$luns" "$bare_tls/one" "$work/names.lua"
