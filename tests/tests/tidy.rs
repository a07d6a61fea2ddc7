//! Does the workspace keep the rules of the house that no compiler checks?
//!
//! Each rule is a function over a set of files, so that it is tested twice: on the workspace, where it must find
//! nothing, and on a small broken example, where it must find the fault.

mod tidy {
    mod code_map;
    mod domain_tree;
    mod imports;
    mod layers;
    mod links;
    mod manifests;
    mod names;
    mod network;
    mod promises;
    mod rust_text;
    mod secrets;
    mod shape;
    mod source_tree;
    mod stubs;
    mod twins;
}
