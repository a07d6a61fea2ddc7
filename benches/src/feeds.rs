//! Which feeds the benches read: generated ones, and those of folders that are named.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// A document and where it is from.
#[derive(Debug)]
pub struct Feed {
    /// The file's path, or what was generated.
    pub name: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The folders named on the command line (or in `HEADWATER_BENCH_FEEDS`), else generated feeds.
///
/// # Errors
/// A folder or a file in it cannot be read.
pub fn input() -> io::Result<Vec<Feed>> {
    let named = env::args().skip(1).filter(|argument| !argument.starts_with("--")).map(PathBuf::from);
    let set = env::var_os("HEADWATER_BENCH_FEEDS").into_iter().map(PathBuf::from);
    let mut feeds = Vec::new();
    for folder in named.chain(set) {
        read_folder(&folder, &mut feeds)?;
    }
    Ok(if feeds.is_empty() { generated() } else { feeds })
}

fn read_folder(folder: &Path, feeds: &mut Vec<Feed>) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::path);
    for entry in entries {
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            read_folder(&path, feeds)?;
        } else {
            feeds.push(Feed { name: path.display().to_string(), bytes: fs::read(&path)? });
        }
    }
    Ok(())
}

/// A podcast, a blog and an Atom feed, each of several hundred items: the same at every call.
pub fn generated() -> Vec<Feed> {
    let mut feeds = Vec::new();
    for (name, items, body) in [("short", 200, 1), ("long", 100, 12), ("many", 900, 3)] {
        feeds.push(Feed { name: format!("generated rss, {name}"), bytes: rss(items, body).into_bytes() });
        feeds.push(Feed { name: format!("generated atom, {name}"), bytes: atom(items, body).into_bytes() });
    }
    feeds
}

fn rss(items: usize, paragraphs: usize) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:atom=\"http://www.w3.org/2005/Atom\">\n<channel>\n\
         <title>Fields &amp; Rivers</title>\n<atom:link href=\"https://example.org/feed/\" rel=\"self\" type=\"application/rss+xml\"/>\n\
         <link>https://example.org/</link>\n<description>Notes</description>\n<language>en-GB</language>\n",
    );
    for number in 0..items {
        text.push_str(&format!(
            "<item>\n\t<title>Note {number}: what the water said</title>\n\t<link>https://example.org/notes/{number}/</link>\n\t\
             <dc:creator><![CDATA[Ann Author]]></dc:creator>\n\t<pubDate>Thu, 02 May 2024 10:{:02}:00 +0000</pubDate>\n\t\
             <category><![CDATA[Rivers]]></category>\n\t<category><![CDATA[Notes]]></category>\n\t\
             <guid isPermaLink=\"false\">https://example.org/?p={number}</guid>\n\t\
             <enclosure url=\"https://cdn.example.org/{number}.mp3\" length=\"{}\" type=\"audio/mpeg\"/>\n\t\
             <description><![CDATA[{}]]></description>\n\t<content:encoded><![CDATA[{}]]></content:encoded>\n</item>\n",
            number % 60,
            1_000_000 + number,
            paragraph(number),
            (0..paragraphs).map(|at| paragraph(number + at)).collect::<String>(),
        ));
    }
    text + "</channel>\n</rss>\n"
}

fn atom(items: usize, paragraphs: usize) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<title>Felder und Flüsse</title>\n\
         <link rel=\"self\" href=\"https://example.org/atom.xml\"/>\n<link href=\"https://example.org/\"/>\n\
         <updated>2024-05-02T10:00:00Z</updated>\n<id>https://example.org/</id>\n<author><name>Ann Author</name></author>\n",
    );
    for number in 0..items {
        let body: String = (0..paragraphs).map(|at| paragraph(number + at)).collect();
        let escaped = body.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        text.push_str(&format!(
            "<entry>\n<title type=\"html\">Größe {number}</title>\n<link rel=\"alternate\" type=\"text/html\" \
             href=\"https://example.org/{number}\"/>\n<id>tag:example.org,2024:{number}</id>\n\
             <published>2024-05-02T10:{:02}:00Z</published>\n<updated>2024-05-03T10:00:00+02:00</updated>\n\
             <category term=\"fluss\" label=\"Fluss\"/>\n<content type=\"html\">{escaped}</content>\n</entry>\n",
            number % 60,
        ));
    }
    text + "</feed>\n"
}

fn paragraph(number: usize) -> String {
    format!(
        "<p>The river rose by {number} inches in the night, and by morning <a href=\"https://example.org/gauge?day={number}&amp;unit=in\">\
         the gauge</a> stood under water. <em>Nobody</em> had seen it so high since the year of the flood; the older ones said \
         &ldquo;wait&rdquo;.</p>\n<img src=\"https://example.org/images/{number}.jpg\" alt=\"The river\" width=\"640\" height=\"480\"/>\n"
    )
}
