//! Serves the stand-in of Feishu at a port of loopback, so that other clients can be tried on it.
//!
//! `cargo run -p headwater-tests --example feishu_stand_in -- 8080`

use headwater_tests::stand_in::feishu::{Fault, FeishuStandIn, File, Node, World};

#[tokio::main]
async fn main() {
    let port = std::env::args().nth(1).expect("the first argument is a port");
    let mut world = World::new();
    world.page_cap = 1;
    world.add_space("7300000000000000001", "One");
    world.add_space("7300000000000000009", "Nine");
    world.add_doc("7300000000000000001", "", "wikcnNodeA", "Handbook", "Hello.").obj_token = "doxcnDocA".to_owned();
    world.add_doc("7300000000000000001", "wikcnNodeA", "wikcnNodeB", "Below", "Below.");
    world.nodes.push(Node {
        token: "wikcnFile".to_owned(),
        obj_token: "boxcnFile1".to_owned(),
        obj_type: "file".to_owned(),
        space: "7300000000000000001".to_owned(),
        text: "file".to_owned(),
        ..Node::default()
    });
    world.media.insert("boxcnImg1".to_owned(), b"image".to_vec());
    world.files.push(File { token: "fldcnX".to_owned(), kind: "folder".to_owned(), ..File::default() });
    world.faults.push(Fault {
        target: "/spaces/7300000000000000009/nodes".to_owned(),
        times: 1,
        status: 429,
        code: Some(99_991_400),
        headers: vec![("x-ogw-ratelimit-limit", "100".to_owned()), ("x-ogw-ratelimit-reset", "52".to_owned())],
    });
    let _stand_in = FeishuStandIn::start_at(&format!("127.0.0.1:{port}"), world).await;
    std::future::pending::<()>().await;
}
