//! Generated names: the naming convention, the locations, and the rules Azure has for names.
