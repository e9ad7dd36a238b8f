//! The operations that hosts know by their ids.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use svc_engine::protocol::Operation;

/// One table for the whole process, because a host may hand an id from thread to thread.
static OPERATIONS: Mutex<Table> = Mutex::new(Table { last_id: 0, open: BTreeMap::new() });

struct Table {
    last_id: u64,
    open: BTreeMap<u64, Arc<Operation>>,
}

/// Gives the operation an id that no operation had before. The first one is 1.
pub(crate) fn open(operation: Operation) -> u64 {
    let mut table = lock();
    table.last_id += 1;
    let id = table.last_id;
    table.open.insert(id, Arc::new(operation));
    id
}

/// The open operation with this id. Waiting on it does not hold up calls for others, or for the same one.
pub(crate) fn find(id: u64) -> Option<Arc<Operation>> {
    lock().open.get(&id).cloned()
}

/// Forgets the id.
pub(crate) fn close(id: u64) -> Option<Arc<Operation>> {
    lock().open.remove(&id)
}

fn lock() -> MutexGuard<'static, Table> {
    OPERATIONS.lock().unwrap_or_else(PoisonError::into_inner)
}
