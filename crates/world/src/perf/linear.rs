//! Cholesky factorisation for the one kind of matrix the solver has: the identity plus a sum
//! of squares.

/// Rows that are taken out of the rest at a time: each pass over the rest then does as much work as four.
const BLOCK: usize = 4;
/// Numbers that are worked on side by side.
const LANES: usize = 4;

/// Solves `(I + M) u = b` for a positive semidefinite `M`, in place: `matrix` holds the upper
/// triangle of `I + M` by rows, `n x n`, and is overwritten; `b` becomes `u`.
///
/// Every exact pivot is at least 1, so a pivot that rounding pushed below is put back to 1:
/// the factorisation cannot fail.
pub(super) fn solve_shifted(matrix: &mut [f64], b: &mut [f64]) {
    let n = b.len();
    for k in (0..n).step_by(BLOCK) {
        let end = (k + BLOCK).min(n);
        let (block, rest) = matrix[k * n..].split_at_mut((end - k) * n);
        factor(block, n, k);
        // Whatever is left has a whole block before it.
        for (i, row) in (end..n).zip(rest.chunks_exact_mut(n)) {
            take_four(&mut row[i..], block, (n, i));
        }
    }
    for k in 0..n {
        let row = &matrix[k * n..k * n + n];
        b[k] /= row[k];
        let (solved, later) = (b[k], &mut b[k + 1..]);
        later.iter_mut().zip(&row[k + 1..]).for_each(|(value, factor)| *value -= factor * solved);
    }
    for k in (0..n).rev() {
        let row = &matrix[k * n..k * n + n];
        let known: f64 = row[k + 1..].iter().zip(&b[k + 1..]).map(|(factor, value)| factor * value).sum();
        b[k] = (b[k] - known) / row[k];
    }
}

/// Factors the first rows of what is left, of which the first begins in column `k`.
fn factor(block: &mut [f64], n: usize, k: usize) {
    for one in 0..block.len() / n {
        let (done, later) = block.split_at_mut((one + 1) * n);
        let row = &mut done[one * n..];
        let pivot = row[k + one].max(1.0).sqrt();
        row[k + one] = pivot;
        row[k + one + 1..].iter_mut().for_each(|value| *value /= pivot);
        for (other, target) in later.chunks_exact_mut(n).enumerate() {
            let column = k + one + 1 + other;
            let share = row[column];
            if share != 0.0 {
                target[column..].iter_mut().zip(&row[column..]).for_each(|(value, factor)| *value -= share * factor);
            }
        }
    }
}

/// Takes four rows, each times its number in column `i`, out of a row from that column on.
fn take_four(target: &mut [f64], block: &[f64], (n, i): (usize, usize)) {
    let row = |one: usize| &block[one * n + i..one * n + n];
    let (a, b, c, d) = (row(0), row(1), row(2), row(3));
    let shares = [a[0], b[0], c[0], d[0]];
    if shares == [0.0; 4] {
        return;
    }
    let lanes = (a.chunks_exact(LANES).zip(b.chunks_exact(LANES))).zip(c.chunks_exact(LANES).zip(d.chunks_exact(LANES)));
    let tail = target.len() / LANES * LANES;
    for (target, ((a, b), (c, d))) in target.chunks_exact_mut(LANES).zip(lanes) {
        for lane in 0..LANES {
            target[lane] -= (shares[0] * a[lane] + shares[1] * b[lane]) + (shares[2] * c[lane] + shares[3] * d[lane]);
        }
    }
    for at in tail..target.len() {
        target[at] -= (shares[0] * a[at] + shares[1] * b[at]) + (shares[2] * c[at] + shares[3] * d[at]);
    }
}

#[cfg(test)]
mod tests {
    use super::solve_shifted;

    #[test]
    fn a_small_system_is_solved() {
        // I + [1 2 0]^T [1 2 0]
        let mut matrix = vec![2.0, 2.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 1.0];
        let mut b = vec![6.0, 12.0, 3.0];
        solve_shifted(&mut matrix, &mut b);
        for (got, expected) in b.iter().zip([1.0, 2.0, 3.0]) {
            assert!((got - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn a_pivot_that_rounding_makes_negative_is_put_back() {
        let mut matrix = vec![2.5e20, 2.500_000_000_000_001e20, 0.0, 2.5e20];
        let mut b = vec![1e30, 1e30];
        solve_shifted(&mut matrix, &mut b);
        assert!(b.iter().all(|value| value.is_finite()), "{b:?}");
        assert!(matrix[3] >= 1.0);
    }

    #[test]
    fn systems_of_every_size_are_solved() {
        for n in 0..23 {
            // I + the sum of two squares, some of whose numbers are 0.
            let of =
                |turn: usize| -> Vec<f64> { (0..n).map(|i| if (i + turn).is_multiple_of(3) { 0.0 } else { ((i * 7 + turn * 5) % 11) as f64 - 4.0 }).collect() };
            let (one, other, wanted) = (of(0), of(1), of(2));
            let full = |i: usize, j: usize| f64::from(u8::from(i == j)) + one[i] * one[j] + other[i] * other[j];
            let mut matrix: Vec<f64> = (0..n * n).map(|at| full(at / n, at % n)).collect();
            let mut b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| full(i, j) * wanted[j]).sum()).collect();
            solve_shifted(&mut matrix, &mut b);
            assert!(b.iter().zip(&wanted).all(|(got, wanted)| (got - wanted).abs() < 1e-9), "{n}: {b:?} instead of {wanted:?}");
        }
    }
}
