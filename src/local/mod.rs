//! The local cloud: an Azure Resource Manager endpoint on loopback for rehearsals and tests.
