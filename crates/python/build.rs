//! Lets the library be linked without Python where the linker has to be told.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
