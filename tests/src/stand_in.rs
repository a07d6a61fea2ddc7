//! Stand-ins of services: real servers that speak a vendor's wire format over a world that tests make and change.

pub mod feishu;
pub mod notion;
pub mod yuque;
