//! Documents that are made at random from those of the repository, over estates that others of them have left.

mod documents;
mod draws;
mod plans_hold;
mod shapes;
mod shapes_of_files;
