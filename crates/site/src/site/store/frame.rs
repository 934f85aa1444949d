//! Frames: how records stand in a file, so that a half-written or damaged one is recognised.
//!
//! A frame is one line: the CRC-32 of its content in eight hexadecimal digits, the length of the content in bytes, the content, and a
//! line end. The content is JSON, so it has no line end of its own.

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "below 256")]
        let mut value = index as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 { 0xedb8_8320 ^ (value >> 1) } else { value >> 1 };
            bit += 1;
        }
        table[index] = value;
        index += 1;
    }
    table
}

static TABLE: [u32; 256] = table();

/// The CRC-32 of IEEE 802.3.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum: u32, byte| TABLE[usize::from(sum.to_le_bytes()[0] ^ byte)] ^ (sum >> 8))
}

/// Adds a frame with that content.
pub(super) fn add(bytes: &mut Vec<u8>, content: &[u8]) {
    bytes.extend_from_slice(format!("{:08x} {} ", checksum(content), content.len()).as_bytes());
    bytes.extend_from_slice(content);
    bytes.push(b'\n');
}

/// What stands at a place of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found<'b> {
    /// A whole frame, and where it ends.
    Frame {
        /// What it holds.
        content: &'b [u8],
        /// Where the next one begins.
        end: usize,
    },
    /// The end of the file.
    End,
    /// The beginning of a frame that was not written to its end; nothing follows it.
    Torn,
    /// No frame, though frames follow, or a whole one whose checksum is wrong.
    Damaged,
}

/// Reads the frame that begins at `start`.
pub(super) fn at(bytes: &[u8], start: usize) -> Found<'_> {
    let rest = &bytes[start.min(bytes.len())..];
    if rest.is_empty() {
        return Found::End;
    }
    match read(rest) {
        Some((content, length, true)) => Found::Frame { content, end: start + length },
        Some((_, _, false)) => Found::Damaged,
        None if frame_follows(rest) => Found::Damaged,
        None => Found::Torn,
    }
}

/// The content of a frame of full length, that length, and whether the checksum is right.
fn read(bytes: &[u8]) -> Option<(&[u8], usize, bool)> {
    let sum = u32::from_str_radix(str::from_utf8(bytes.get(..8)?).ok()?, 16).ok()?;
    let head = bytes.get(..bytes.len().min(32))?;
    let space = head.iter().skip(9).position(|byte| *byte == b' ')? + 9;
    let length: usize = str::from_utf8(&bytes[9..space]).ok()?.parse().ok()?;
    let begin = space + 1;
    let content = bytes.get(begin..begin.checked_add(length)?)?;
    let closed = bytes[8] == b' ' && bytes.get(begin + length) == Some(&b'\n');
    closed.then(|| (content, begin + length + 1, checksum(content) == sum))
}

/// Whether a whole frame begins behind some later line end.
fn frame_follows(bytes: &[u8]) -> bool {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    ends.into_iter().any(|(place, _)| matches!(read(&bytes[place + 1..]), Some((_, _, true))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> (Vec<u8>, Vec<usize>) {
        let (mut bytes, mut ends) = (Vec::new(), vec![0]);
        for content in ["{\"one\":1}", "", "{\"three\":\"33333333333333333333\"}"] {
            add(&mut bytes, content.as_bytes());
            ends.push(bytes.len());
        }
        (bytes, ends)
    }

    #[test]
    fn the_checksum_is_the_known_one() {
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn frames_are_read_back_one_after_the_other() {
        let (bytes, ends) = three();
        assert_eq!(at(&bytes, 0), Found::Frame { content: b"{\"one\":1}", end: ends[1] });
        assert_eq!(at(&bytes, ends[1]), Found::Frame { content: b"", end: ends[2] });
        assert_eq!(at(&bytes, ends[3]), Found::End);
    }

    #[test]
    fn a_frame_that_was_cut_anywhere_is_torn() {
        let (bytes, ends) = three();
        for length in ends[2] + 1..ends[3] {
            assert_eq!(at(&bytes[..length], ends[2]), Found::Torn, "{length}");
        }
    }

    #[test]
    fn a_frame_in_which_any_byte_differs_is_damaged_and_not_torn_when_others_follow() {
        let (bytes, ends) = three();
        for place in 0..ends[1] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            let found = at(&damaged, 0);
            let same_number = matches!(found, Found::Frame { content: b"{\"one\":1}", .. });
            assert!(found == Found::Damaged || same_number, "{place}: {found:?}");
        }
        let mut last = bytes;
        let place = last.len() - 3;
        last[place] ^= 1;
        assert_eq!(at(&last, ends[2]), Found::Damaged, "of full length, so nothing was torn off");
        last.truncate(ends[2]);
        last.extend_from_slice(&[0; 512]);
        assert_eq!(at(&last, ends[2]), Found::Torn, "room that was never written");
    }
}
