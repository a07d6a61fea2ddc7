//! Samples are bounded and hold no secret; counts know of everything.

use super::*;

#[test]
fn a_hundred_samples_are_kept_and_all_failures_are_counted() {
    let mut samples = ErrorSamples::default();
    let mut counts = RunCounts::default();
    for number in 0..5000 {
        counts.add(super::super::ItemOutcome::Failed);
        let kept = samples.add(ErrorSample::new(ErrorKind::HttpStatus, &number.to_string()));
        assert_eq!(kept, number < 100);
    }
    assert_eq!((samples.as_slice().len(), counts.failed), (MAX_ERROR_SAMPLES, 5000));
    assert_eq!(samples.as_slice()[99].message, "99");
    let many = vec![ErrorSample::new(ErrorKind::Store, "x"); 300];
    let text = serde_json::to_string(&many).unwrap();
    assert_eq!(serde_json::from_str::<ErrorSamples>(&text).unwrap().as_slice().len(), MAX_ERROR_SAMPLES);
}

#[test]
fn a_sample_is_cut_and_redacted() {
    let failed = FailedItem {
        external_id: Some("doc".to_owned()),
        resource_id: None,
        title: Some("汉".repeat(10_000)),
        kind: ErrorKind::HttpStatus,
        params: (0..100).map(|n| (format!("p{n:03}"), "v".repeat(10_000))).collect(),
        message: format!("https://e.example/?passkey=0123456789abcdef0123456789abcdef {}", "m".repeat(1_000_000)),
    };
    let sample = ErrorSample::from(&failed);
    assert_eq!(sample.params.len(), MAX_PARAMS);
    let texts = sample.params.values().chain([&sample.message]).chain(sample.title.as_ref());
    assert!(texts.into_iter().all(|text| text.chars().count() <= MAX_TEXT_CHARS + 1));
    assert!(!sample.message.contains("0123456789abcdef"), "{}", sample.message);
    assert_eq!(sample.external_id.as_deref(), Some("doc"));
    let branch = FailedItem { external_id: None, resource_id: Some("space".to_owned()), ..failed };
    assert_eq!(ErrorSample::from(&branch).external_id.as_deref(), Some("space"));
}
