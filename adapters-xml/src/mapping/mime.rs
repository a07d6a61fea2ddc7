//! Which media type the name of a file stands for.

use url::Url;

/// The media type of the file that a URL names, by its ending.
pub(super) fn guess(url: &Url) -> Option<&'static str> {
    let file = if url.scheme() == "magnet" {
        return Some("application/x-bittorrent");
    } else {
        url.path().rsplit('/').next()?
    };
    let (_, ending) = file.rsplit_once('.')?;
    let ending = ending.to_ascii_lowercase();
    TABLE.iter().find(|(known, _)| *known == ending).map(|(_, mime)| *mime)
}

const TABLE: [(&str, &str); 34] = [
    ("mp3", "audio/mpeg"),
    ("m4a", "audio/mp4"),
    ("m4b", "audio/mp4"),
    ("aac", "audio/aac"),
    ("ogg", "audio/ogg"),
    ("oga", "audio/ogg"),
    ("opus", "audio/ogg"),
    ("flac", "audio/flac"),
    ("wav", "audio/wav"),
    ("wma", "audio/x-ms-wma"),
    ("mp4", "video/mp4"),
    ("m4v", "video/mp4"),
    ("mov", "video/quicktime"),
    ("mpg", "video/mpeg"),
    ("mpeg", "video/mpeg"),
    ("ogv", "video/ogg"),
    ("webm", "video/webm"),
    ("mkv", "video/x-matroska"),
    ("avi", "video/x-msvideo"),
    ("wmv", "video/x-ms-wmv"),
    ("flv", "video/x-flv"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("png", "image/png"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("avif", "image/avif"),
    ("svg", "image/svg+xml"),
    ("pdf", "application/pdf"),
    ("epub", "application/epub+zip"),
    ("zip", "application/zip"),
    ("torrent", "application/x-bittorrent"),
    ("srt", "application/x-subrip"),
    ("vtt", "text/vtt"),
];
