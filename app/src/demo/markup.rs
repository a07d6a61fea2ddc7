//! How the demo's plain texts become HTML, and text becomes safe inside markup.

/// Paragraphs, quotations (`> `) and lists (`- `), with blank lines between, as HTML.
pub(crate) fn html(text: &str) -> String {
    text.trim().split("\n\n").map(block).collect::<Vec<_>>().join("\n")
}

/// Text inside markup, HTML and XML alike.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

fn block(block: &str) -> String {
    if let Some(quotation) = block.strip_prefix("> ") {
        return format!("<blockquote><p>{}</p></blockquote>", escape(quotation));
    }
    if block.starts_with("- ") {
        let items = block.lines().map(|line| format!("<li>{}</li>", escape(line.trim_start_matches("- "))));
        return format!("<ul>{}</ul>", items.collect::<String>());
    }
    format!("<p>{}</p>", escape(block))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_become_elements() {
        let text = "\nOne & two.\n\n> Said <she>.\n\n- a\n- b\n";
        let expected =
            "<p>One &amp; two.</p>\n<blockquote><p>Said &lt;she&gt;.</p></blockquote>\n<ul><li>a</li><li>b</li></ul>";
        assert_eq!(html(text), expected);
    }
}
