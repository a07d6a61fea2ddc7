//! Does the Notion connector read what is there, all of it, and is it never fooled into deleting?

mod notion {
    mod contract;
    mod facts;
    mod faults;
    mod files;
    mod golden;
    mod kit;
    mod limits;
    mod stops;
    mod tree;
}
