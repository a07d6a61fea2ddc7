//! Walls, error pages and other pages are told from articles.

use super::*;

const ARTICLE: Page<'_> = Page {
    item_title: "The river in spring",
    item_text: "",
    title: "The river in spring",
    text: "",
    asked: "/2026/river",
    came: "/2026/river",
};

fn story() -> String {
    "In spring the river carries snow water from the mountains down to the valley and floods the meadows. ".repeat(12)
}

#[track_caller]
fn check(page: Page<'_>, expected: Option<&str>) {
    assert_eq!(page.fault(), expected);
}

#[test]
fn articles_are_taken() {
    let story = story();
    check(Page { text: &story, ..ARTICLE }, None);
    check(Page { text: &story, item_text: &story[..400], ..ARTICLE }, None);
    check(Page { text: "A short note about the river.", ..ARTICLE }, None);
    check(Page { text: "How login pages are made.", title: "Login pages", item_title: "Login pages", ..ARTICLE }, None);
    check(Page { text: &story, asked: "/login/guide", came: "/login/guide", ..ARTICLE }, None);
}

#[test]
fn walls_and_error_pages_are_not() {
    let wall = Some("it is a wall or an error page");
    check(Page { title: "Log in - Example", text: "User name Password", ..ARTICLE }, wall);
    check(
        Page { title: "Example", text: "Please sign in to read this article. Forgot your password?", ..ARTICLE },
        wall,
    );
    check(Page { title: "404", text: "The page you are looking for does not exist.", ..ARTICLE }, wall);
    check(Page { title: "Example", text: "You need to enable JavaScript to run this app.", ..ARTICLE }, wall);
    check(Page { title: "示例", text: "请登录后继续阅读", ..ARTICLE }, wall);
    check(Page { text: &story(), came: "/account/login?next=/2026/river", ..ARTICLE }, Some("it asks to log in"));
    check(ARTICLE, Some("it has no text"));
}

#[test]
fn a_page_that_says_something_else_loses_to_the_feed() {
    let story = story();
    let other =
        "Choose the subscription that suits you: monthly, yearly, or with printed edition delivered. ".repeat(20);
    check(Page { text: &other, item_text: &story, ..ARTICLE }, Some("it says something else than the feed"));
    let beginning = &story[..250];
    check(Page { text: beginning, item_text: &story, ..ARTICLE }, Some("it holds less than the feed"));
    let chinese = "春天的河水从山上流下来，淹没了草地，也带来了新的泥土。".repeat(10);
    check(Page { text: &chinese, item_text: &chinese, ..ARTICLE }, None);
    let menu = "首页 新闻 体育 财经 娱乐 科技 汽车 房产 教育".repeat(20);
    check(Page { text: &menu, item_text: &chinese, ..ARTICLE }, Some("it says something else than the feed"));
}
