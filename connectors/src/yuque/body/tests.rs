//! What Yuque's editor adds goes, what people wrote stays.

use super::plain_markdown;

#[track_caller]
fn check(body: &str, expected: &str) {
    assert_eq!(plain_markdown(body), expected);
}

#[test]
fn anchors_and_measures_go() {
    check("<a name=\"a1b2c\"></a>\n# 安装\n先装依赖：\n", "# 安装\n先装依赖：\n");
    check(
        "![](https://cdn.nlark.com/a.png#averageHue=%23f5&width=600) and [x](https://e.example/#part)",
        "![](https://cdn.nlark.com/a.png) and [x](https://e.example/#part)\n",
    );
    check("![a](u#1)![b](v#2)", "![a](u)![b](v)\n");
}

#[test]
fn code_stays_as_it_is() {
    let code = "```html\n<a name=\"x\"></a>\n:::info\n![](u#1)\n```\n";
    check(code, code);
    let longer = "````\n```\n<a name=\"x\"></a>\n````\n";
    check(longer, longer);
}

#[test]
fn callouts_become_quotations() {
    check(":::info\none\n\ntwo\n:::\nafter", "> **info**\n>\n> one\n>\n> two\n\nafter\n");
}

#[test]
fn an_empty_body_stays_empty() {
    check("", "");
    check("<a name=\"only\"></a>\n", "");
}

#[test]
fn broken_marks_are_kept() {
    check("<a name=\"x", "<a name=\"x\n");
    check("![alt](never closed", "![alt](never closed\n");
    check("<a name=\"x<b\"></a>", "<a name=\"x<b\"></a>\n");
}
