//! What the codes of Feishu's answers mean. The HTTP status alone says little: failures come with 200, limits with 400.

/// What an answer means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// It is the answer.
    Fine,
    /// The token is no longer good: another one is fetched, and the question asked again.
    StaleToken,
    /// Too many requests.
    Throttled,
    /// It may pass.
    Passing,
    /// The thing does not exist any more.
    Missing,
    /// The thing may be there, but the app may not see it.
    Hidden,
    /// The app's id or secret is wrong.
    WrongCredentials,
    /// The app lacks a scope, or is not installed.
    LacksScope,
    /// Anything else: it will not pass.
    Refused,
}

/// The meaning of an HTTP status with a code; none: the body was no JSON.
pub(super) fn meaning(status: u16, code: Option<i64>) -> Meaning {
    let Some(code) = code else {
        return match status {
            429 => Meaning::Throttled,
            500..=599 => Meaning::Passing,
            // A gateway on the way says so as well: without a code it proves nothing about the thing that was asked for.
            _ => Meaning::Refused,
        };
    };
    match code {
        0 if status < 400 => Meaning::Fine,
        99_991_661 | 99_991_663 | 99_991_664 | 99_991_668 | 99_991_677 => Meaning::StaleToken,
        99_991_400 | 11_232 | 1_069_923 | 1_061_045 | 1_254_290 => Meaning::Throttled,
        10_003 | 10_014 | 99_991_543 => Meaning::WrongCredentials,
        99_991_672 | 99_991_676 | 99_991_679 | 99_991_662 | 99_991_673 => Meaning::LacksScope,
        131_005 | 1_061_003 | 1_061_007 | 1_770_002 | 1_770_003 | 1_069_906 | 1_069_914 | 1_254_040 | 1_254_041 => {
            Meaning::Missing
        }
        131_006 | 1_061_004 | 1_770_032 | 1_069_902 | 1_254_302 => Meaning::Hidden,
        131_001 | 1_663 | 1_069_901 | 1_061_001 | 1_771_001..=1_771_005 | 1_255_001 | 1_069_704 => Meaning::Passing,
        _ if status == 429 => Meaning::Throttled,
        _ if status >= 500 => Meaning::Passing,
        _ => Meaning::Refused,
    }
}

/// What became of an export task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JobStatus {
    /// The file is there.
    Done,
    /// Not yet.
    Pending,
    /// It failed, and may work another time.
    Passing,
    /// The document is gone.
    Missing,
    /// Exporting is not allowed, by a setting of the document or for a part of it.
    Forbidden,
    /// The document is too large to be exported.
    TooLarge,
    /// Anything else.
    Refused,
}

/// The meaning of a task's `job_status`.
pub(super) fn job_status(status: i64) -> JobStatus {
    match status {
        0 => JobStatus::Done,
        1 | 2 => JobStatus::Pending,
        3 | 108 => JobStatus::Passing,
        111 | 123 => JobStatus::Missing,
        109 | 110 | 122 => JobStatus::Forbidden,
        107 | 6000 => JobStatus::TooLarge,
        _ => JobStatus::Refused,
    }
}

#[cfg(test)]
mod tests;
