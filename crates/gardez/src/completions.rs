//! `gardez completions` and `gardez man`: files for shells and manuals, from the one definition of arguments.

use anyhow::{Context, Result};
use clap::Command;
use clap_complete::Shell;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Print completions for a shell
///
/// For bash: `gardez completions bash > ~/.local/share/bash-completion/completions/gardez`. For zsh: into a file `_gardez`
/// in a directory of `$fpath`. For fish: `gardez completions fish > ~/.config/fish/completions/gardez.fish`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page, or write those of all commands
#[derive(clap::Args)]
pub(crate) struct ManArgs {
    /// Directory to write one page for each command to, such as `/usr/local/share/man/man1`
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Prints the completions.
pub(crate) fn run(args: &Args, mut program: Command) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "gardez", &mut script);
    io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints or writes manual pages.
pub(crate) fn run_man(args: &ManArgs, mut program: Command) -> Result<ExitCode> {
    program.build();
    match &args.output {
        None => io::stdout().write_all(&page(&program)?)?,
        Some(directory) => {
            fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
            let count = write_pages(directory, &program, "gardez")?;
            writeln!(io::stdout(), "{count} manual pages in {}", directory.display())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    Ok(page)
}

/// Writes the page of a command and those of its subcommands, and counts them.
fn write_pages(directory: &Path, command: &Command, name: &str) -> Result<usize> {
    let command = command.clone().display_name(name.to_owned());
    crate::output::replace(&directory.join(format!("{name}.1")), &page(&command)?)?;
    let mut count = 1;
    let is_shown = |command: &&Command| command.get_name() != "help" && !command.is_hide_set();
    for subcommand in command.get_subcommands().filter(is_shown) {
        count += write_pages(directory, subcommand, &format!("{name}-{}", subcommand.get_name()))?;
    }
    Ok(count)
}
