//! Files that belong to the user alone.

use journal::Replacement;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Creates a directory that only the user can enter; one that exists stays as it is.
pub(super) fn create_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Opens or creates a file that only the user can read; one that others can read is made so.
pub(super) fn open_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = file.metadata()?.permissions().mode();
        if mode & 0o077 != 0 {
            file.set_permissions(fs::Permissions::from_mode(mode & 0o700))?;
        }
    }
    Ok(file)
}

/// Writes a small file that only the user can read, so that it is there whole or not at all.
pub(super) fn write_private(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = Replacement::create_private(path)?;
    file.write_all(contents)?;
    file.commit().map(drop)
}
