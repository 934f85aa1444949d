//! Cholesky factorisation for the one kind of matrix the solver has: the identity plus a sum
//! of squares.

/// Solves `(I + M) u = b` for a positive semidefinite `M`, in place: `matrix` holds the lower
/// triangle of `I + M` by rows, `n x n`, and is overwritten; `b` becomes `u`.
///
/// Every exact pivot is at least 1, so a pivot that rounding pushed below is put back to 1:
/// the factorisation cannot fail.
pub(super) fn solve_shifted(matrix: &mut [f64], b: &mut [f64]) {
    let n = b.len();
    for i in 0..n {
        let (above, rest) = matrix.split_at_mut(i * n);
        let row = &mut rest[..n];
        for j in 0..i {
            let pivot_row = &above[j * n..j * n + n];
            row[j] = (row[j] - dot(&row[..j], &pivot_row[..j])) / pivot_row[j];
        }
        row[i] = (row[i] - dot(&row[..i], &row[..i])).max(1.0).sqrt();
        b[i] = (b[i] - dot(&row[..i], &b[..i])) / row[i];
    }
    for i in (0..n).rev() {
        let row = &matrix[i * n..i * n + n];
        b[i] /= row[i];
        let solved = b[i];
        for (value, factor) in b[..i].iter_mut().zip(&row[..i]) {
            *value -= factor * solved;
        }
    }
}

/// Inner product in four lanes, always in the same order.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0_f64; 4];
    let (a_lanes, b_lanes) = (a.chunks_exact(4), b.chunks_exact(4));
    let tail: f64 = a_lanes.remainder().iter().zip(b_lanes.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a_lanes.zip(b_lanes) {
        for k in 0..4 {
            lanes[k] += x[k] * y[k];
        }
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]) + tail
}

#[cfg(test)]
mod tests {
    use super::solve_shifted;

    #[test]
    fn a_small_system_is_solved() {
        // I + [1 2 0]^T [1 2 0]
        let mut matrix = vec![2.0, 0.0, 0.0, 2.0, 5.0, 0.0, 0.0, 0.0, 1.0];
        let mut b = vec![6.0, 12.0, 3.0];
        solve_shifted(&mut matrix, &mut b);
        for (got, expected) in b.iter().zip([1.0, 2.0, 3.0]) {
            assert!((got - expected).abs() < 1e-12);
        }
    }
}
