//! Where the words beside points go: each where nothing else is, the nearer the better.

/// A rectangle in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    /// Left edge.
    pub(super) x: f64,
    /// Upper edge.
    pub(super) y: f64,
    /// How wide it is.
    pub(super) width: f64,
    /// How high it is.
    pub(super) height: f64,
}

impl Rect {
    /// Whether the two share more than an edge.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.x < other.x + other.width && other.x < self.x + self.width && self.y < other.y + other.height && other.y < self.y + self.height
    }

    /// Whether the other lies in it whole.
    pub(super) fn holds(&self, other: &Self) -> bool {
        other.x >= self.x && other.y >= self.y && other.x + other.width <= self.x + self.width && other.y + other.height <= self.y + self.height
    }

    /// Whether a stretch of a line touches it (looked at in small steps).
    fn touched_by(&self, from: (f64, f64), to: (f64, f64)) -> bool {
        let length = (to.0 - from.0).abs().max((to.1 - from.1).abs());
        let steps = (length / 3.0).ceil().clamp(1.0, 1000.0);
        let mut at = 0.0;
        while at <= steps {
            let share = at / steps;
            let (x, y) = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
            if x >= self.x && x <= self.x + self.width && y >= self.y && y <= self.y + self.height {
                return true;
            }
            at += 1.0;
        }
        false
    }
}

/// Finds a place for each of `wanted` (the point, and how wide and high its words are) inside `plot`, clear of all points and of each
/// other, and if there is such a place also of the `lines`. `None`: there is no room.
pub(super) fn place(plot: &Rect, points: &[(f64, f64)], wanted: &[((f64, f64), f64, f64)], lines: &[Vec<(f64, f64)>]) -> Vec<Option<Rect>> {
    const RADIUS: f64 = 7.0;
    let dots: Vec<Rect> = points.iter().map(|(x, y)| Rect { x: x - RADIUS, y: y - RADIUS, width: 2.0 * RADIUS, height: 2.0 * RADIUS }).collect();
    let mut taken: Vec<Rect> = Vec::new();
    let mut places = Vec::with_capacity(wanted.len());
    for (point, width, height) in wanted {
        let free = |spot: &Rect| plot.holds(spot) && !dots.iter().chain(&taken).any(|other| other.meets(spot));
        let clear = |spot: &Rect| !lines.iter().any(|line| line.windows(2).any(|pair| spot.touched_by(pair[0], pair[1])));
        let spots: Vec<Rect> = spots(*point, *width, *height).into_iter().filter(free).collect();
        let found = spots.iter().find(|spot| clear(spot)).or_else(|| spots.first()).copied();
        taken.extend(found);
        places.push(found);
    }
    places
}

/// Places around a point, nearest first.
fn spots((x, y): (f64, f64), width: f64, height: f64) -> Vec<Rect> {
    let mut spots = Vec::new();
    for gap in [9.0, 18.0, 30.0] {
        let (left, right, middle) = (x - gap - width, x + gap, x - width / 2.0);
        let (above, below, beside) = (y - gap - height, y + gap, y - height / 2.0);
        let around = [(right, beside), (left, beside), (right, above), (left, above), (right, below), (left, below), (middle, above), (middle, below)];
        spots.extend(around.map(|(x, y)| Rect { x, y, width, height }));
    }
    spots
}
