//! The built-in roles that the engine assigns (Azure role-based access control, "Azure built-in roles").

/// A built-in role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Role {
    /// The last segment of the id of its definition, the same in every tenant.
    pub id: &'static str,
    /// The plain name.
    pub name: &'static str,
}

/// Reads and writes blobs, and hands out access to them.
pub const STORAGE_BLOB_DATA_OWNER: Role =
    Role { id: "b7e6dc6d-f1e8-4753-8033-0f276bb0955b", name: "Storage Blob Data Owner" };
/// Reads and writes messages of queues.
pub const STORAGE_QUEUE_DATA_CONTRIBUTOR: Role =
    Role { id: "974c5e8b-45b9-4653-ba55-5f855dd0fbe8", name: "Storage Queue Data Contributor" };
/// Reads and writes rows of tables.
pub const STORAGE_TABLE_DATA_CONTRIBUTOR: Role =
    Role { id: "0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3", name: "Storage Table Data Contributor" };

const ROLES: [Role; 3] = [STORAGE_BLOB_DATA_OWNER, STORAGE_QUEUE_DATA_CONTRIBUTOR, STORAGE_TABLE_DATA_CONTRIBUTOR];

/// The name of a role by its id, where the engine knows it.
#[must_use]
pub fn role_name(id: &str) -> Option<&'static str> {
    ROLES.iter().find(|role| role.id.eq_ignore_ascii_case(id)).map(|role| role.name)
}
