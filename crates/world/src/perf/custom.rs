//! Custom workloads: from the four measured corners to any request, rough to about 25 %.
//!
//! Reads and writes each have a line `a + c * bytes` through their 4 KiB and 64 KiB corners.
//! A sequential request costs only a share of the per-operation part `a`; the 64 KiB corners
//! are sequential, the 4 KiB ones random, so that all four corners come out as measured.

/// One measured corner: what one request costs and how it queues.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// Seconds of its owner controller that one request uses.
    pub demand: f64,
    /// Latency with no load in seconds.
    pub base_latency: f64,
    /// Burstiness, `beta`, without dimension.
    pub burstiness: f64,
}

/// The four corners of an array, and what sequential requests save.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corners {
    /// 4 KiB, random, read.
    pub read_4k: Corner,
    /// 4 KiB, random, write.
    pub write_4k: Corner,
    /// 64 KiB, sequential, read.
    pub read_64k: Corner,
    /// 64 KiB, sequential, write.
    pub write_64k: Corner,
    /// Share of the per-operation part that a sequential request still costs, above 0, at
    /// most 1 (1: sequential and random cost the same).
    pub sequential_operation: f64,
}

const SMALL: f64 = 4096.0;
const LARGE: f64 = 65_536.0;
/// Larger requests count as this large: 1 GiB.
const LARGEST: f64 = 1_073_741_824.0;

/// Controller demand (s), base latency (s) and burstiness of a request of `block_size` bytes,
/// a share `read_share` of which read and `sequential_share` of which are sequential.
///
/// Total: shares outside 0 to 1 and NaN count as the nearest end, block sizes are kept between
/// one byte and 1 GiB. Demand and base latency go on along the line beyond 64 KiB; burstiness
/// stays between its corners. Nothing falls below a tenth of the smaller corner. Rough to about
/// 25 %: say so wherever it is answered.
#[must_use]
pub fn custom_calibration(corners: &Corners, block_size: f64, read_share: f64, sequential_share: f64) -> (f64, f64, f64) {
    let share = |value: f64| if value > 0.0 { value.min(1.0) } else { 0.0 };
    let bytes = if block_size > 1.0 { block_size.min(LARGEST) } else { 1.0 };
    let (r, s) = (share(read_share), share(sequential_share));
    let kept = if corners.sequential_operation > 0.0 { corners.sequential_operation.min(1.0) } else { 1.0 };
    let read = one_direction(&corners.read_4k, &corners.read_64k, kept, bytes, s);
    let write = one_direction(&corners.write_4k, &corners.write_64k, kept, bytes, s);
    let demand = r * read.demand + (1.0 - r) * write.demand;
    let base_latency = r * read.base_latency + (1.0 - r) * write.base_latency;
    let queueing = r * read.demand * read.burstiness + (1.0 - r) * write.demand * write.burstiness;
    (demand, base_latency, if demand > 0.0 { queueing / demand } else { read.burstiness })
}

/// What a byte that is read, and one that is written, adds to a controller's work, in seconds: the slopes of the two lines, not below 0.
#[must_use]
pub fn per_byte(corners: &Corners) -> (f64, f64) {
    let kept = if corners.sequential_operation > 0.0 { corners.sequential_operation.min(1.0) } else { 1.0 };
    let slope = |small: &Corner, large: &Corner| ((large.demand - kept * small.demand) / (LARGE - kept * SMALL)).max(0.0);
    (slope(&corners.read_4k, &corners.read_64k), slope(&corners.write_4k, &corners.write_64k))
}

/// Reads alone, or writes alone, of `bytes` with the sequential share `s`.
fn one_direction(small: &Corner, large: &Corner, kept: f64, bytes: f64, s: f64) -> Corner {
    let per_byte = (large.demand - kept * small.demand) / (LARGE - kept * SMALL);
    let per_operation = small.demand - SMALL * per_byte;
    let demand = per_operation * (1.0 - s * (1.0 - kept)) + per_byte * bytes;
    let along = |from: f64, to: f64, at: f64| from + (to - from) * (at - SMALL) / (LARGE - SMALL);
    let least = |value: f64, a: f64, b: f64| value.max(0.1 * a.min(b));
    Corner {
        demand: least(demand, small.demand, large.demand),
        base_latency: least(along(small.base_latency, large.base_latency, bytes), small.base_latency, large.base_latency),
        burstiness: along(small.burstiness, large.burstiness, bytes.clamp(SMALL, LARGE)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Corner, Corners, custom_calibration};

    const CORNERS: Corners = Corners {
        read_4k: Corner { demand: 12e-6, base_latency: 0.28e-3, burstiness: 8.0 },
        write_4k: Corner { demand: 14e-6, base_latency: 0.27e-3, burstiness: 9.0 },
        read_64k: Corner { demand: 29e-6, base_latency: 0.41e-3, burstiness: 4.0 },
        write_64k: Corner { demand: 69e-6, base_latency: 0.45e-3, burstiness: 5.0 },
        sequential_operation: 0.566,
    };

    #[test]
    fn the_corners_come_out_as_measured() {
        let near = |got: (f64, f64, f64), corner: Corner| {
            let pairs = [(got.0, corner.demand), (got.1, corner.base_latency), (got.2, corner.burstiness)];
            assert!(pairs.iter().all(|(a, b)| (a / b - 1.0).abs() < 1e-12), "{got:?} {corner:?}");
        };
        near(custom_calibration(&CORNERS, 4096.0, 1.0, 0.0), CORNERS.read_4k);
        near(custom_calibration(&CORNERS, 4096.0, 0.0, 0.0), CORNERS.write_4k);
        near(custom_calibration(&CORNERS, 65_536.0, 1.0, 1.0), CORNERS.read_64k);
        near(custom_calibration(&CORNERS, 65_536.0, 0.0, 1.0), CORNERS.write_64k);
    }

    #[test]
    fn larger_and_less_sequential_requests_cost_more() {
        let demand = |bytes, read, sequential| custom_calibration(&CORNERS, bytes, read, sequential).0;
        assert!(demand(8192.0, 0.7, 0.0) > demand(4096.0, 0.7, 0.0));
        assert!(demand(1_048_576.0, 0.7, 0.0) > demand(65_536.0, 0.7, 0.0));
        assert!(demand(8192.0, 0.7, 0.0) > demand(8192.0, 0.7, 1.0));
    }

    #[test]
    fn a_byte_more_costs_the_slope() {
        let (read, write) = super::per_byte(&CORNERS);
        let more = |share: f64| custom_calibration(&CORNERS, 20_000.0, share, 1.0).0 - custom_calibration(&CORNERS, 10_000.0, share, 1.0).0;
        assert!((more(1.0) / 1e4 / read - 1.0).abs() < 1e-9 && (more(0.0) / 1e4 / write - 1.0).abs() < 1e-9);
    }

    #[test]
    fn any_numbers_give_positive_answers() {
        for odd in [f64::NAN, f64::NEG_INFINITY, -1.0, 0.0, 1e12, f64::INFINITY] {
            let (demand, base, beta) = custom_calibration(&CORNERS, odd, odd, odd);
            assert!([demand, base, beta].iter().all(|value| *value > 0.0 && value.is_finite()), "{odd}");
        }
    }
}
