//! Folders and files of the machine, behind the [`FileTree`](headwater_ports::FileTree) port.

mod error;
mod local_file_tree;

pub use local_file_tree::LocalFileTree;
