//! `gardez commands`: the manual of all commands, from the same definitions as their help.

use clap::builder::StyledStr;
use clap::{Arg, Command};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;

/// Print the manual of all commands in Markdown
#[derive(clap::Args)]
pub(crate) struct Args {}

/// Runs the subcommand.
pub(crate) fn run(mut program: Command) -> anyhow::Result<ExitCode> {
    program.build();
    write!(io::stdout().lock(), "{}", manual(&program))?;
    Ok(ExitCode::SUCCESS)
}

fn manual(program: &Command) -> String {
    let mut text = "# Commands\n\n\
                    Written by `gardez commands > docs/commands.md`; a test compares it with the program.\n\n"
        .to_owned();
    let _ = writeln!(text, "{}\n", about(program));
    for command in subcommands(program) {
        let summary = command.get_about().map(plain).unwrap_or_default();
        let name = command.get_name();
        let _ = writeln!(text, "- [`{name}`](#gardez-{name}): {summary}");
    }
    for command in subcommands(program) {
        describe(&mut text, command, &format!("gardez {}", command.get_name()), 2);
    }
    text
}

fn subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|command| command.get_name() != "help" && !command.is_hide_set())
}

/// A command with its arguments, then its subcommands.
fn describe(text: &mut String, command: &Command, name: &str, level: usize) {
    let _ = write!(text, "\n{} {name}\n\n{}\n", "#".repeat(level), about(command));
    let aliases: Vec<String> = command.get_visible_aliases().map(|alias| format!("`{alias}`")).collect();
    if !aliases.is_empty() {
        let _ = writeln!(text, "\nAlso called {}.", aliases.join(", "));
    }
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").trim();
    let _ = writeln!(text, "\n    {usage}");
    let is_shown = |argument: &&Arg| !matches!(argument.get_id().as_str(), "help" | "version");
    let shown: Vec<&Arg> =
        command.get_arguments().filter(is_shown).filter(|argument| !argument.is_hide_set()).collect();
    let mut headings: Vec<Option<&str>> = Vec::new();
    for argument in &shown {
        if !headings.contains(&argument.get_help_heading()) {
            headings.push(argument.get_help_heading());
        }
    }
    for heading in headings {
        match heading {
            Some(heading) => {
                let _ = writeln!(text, "\n{heading}:\n");
            }
            None => text.push('\n'),
        }
        for argument in shown.iter().filter(|argument| argument.get_help_heading() == heading) {
            let _ = writeln!(text, "- {}", item(argument));
        }
    }
    for subcommand in subcommands(command) {
        describe(text, subcommand, &format!("{name} {}", subcommand.get_name()), level + 1);
    }
}

/// An argument, what it means, and what it is when it is not given.
fn item(argument: &Arg) -> String {
    let short = argument.get_short().map(|short| format!("`-{short}`, ")).unwrap_or_default();
    let help = argument.get_long_help().or(argument.get_help()).map(plain).unwrap_or_default();
    let mut text = format!("{short}`{argument}`: {help}");
    let values: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|_| argument.get_action().takes_values())
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    if !values.is_empty() {
        let _ = write!(text, " [values: {}]", values.join(", "));
    }
    let defaults: Vec<String> = argument
        .get_default_values()
        .iter()
        .filter(|value| !value.is_empty())
        .map(|value| value.to_string_lossy().into_owned())
        .collect();
    if argument.get_action().takes_values() && !defaults.is_empty() {
        let _ = write!(text, " [default: {}]", defaults.join(" "));
    }
    if let Some(variable) = argument.get_env() {
        let _ = write!(text, " [environment: `{}`]", variable.to_string_lossy());
    }
    text
}

fn about(command: &Command) -> String {
    let about = command.get_long_about().or(command.get_about());
    about.map(|about| about.to_string().trim().to_owned()).unwrap_or_default()
}

/// In one line.
fn plain(text: &StyledStr) -> String {
    text.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
