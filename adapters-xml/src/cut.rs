//! Where a body that is over its limit is cut.

/// The bytes within the limit, and whether any were over it; a UTF-8 character is not cut through.
pub(crate) fn to_limit(bytes: &[u8], limit: u64) -> (&[u8], bool) {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    if bytes.len() <= limit {
        return (bytes, false);
    }
    let mut end = limit;
    while end > limit.saturating_sub(4) && bytes.get(end).is_some_and(|byte| byte & 0xC0 == 0x80) {
        end -= 1;
    }
    (&bytes[..end], true)
}
