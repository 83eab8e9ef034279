//! `gardez serve`: play and analyse in the browser.

use crate::{games, numbers};
use anyhow::{Context, Result, anyhow, bail};
use players::{PlayerKind, PlayerSpec};
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use std::io::{self, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use web::{ClassicBooks, Config, Limits, Server, StartError, TrustedProxy, Unsaved};

/// Play and analyse in the browser
///
/// Listens on this machine alone, unless --host says otherwise. Games are kept in one file in the data directory.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Address to listen on; 0.0.0.0 for the whole network
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Port to listen on; 0 for any that is free
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Ask visitors for this password; for use in a network
    #[arg(long, env = "GARDEZ_PASSWORD", hide_env_values = true)]
    password: Option<String>,
    /// Directory for games and reviews [default: the user's data directory]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Keep what can be read of damaged games: set the damaged file aside, then serve
    #[arg(long)]
    recover: bool,
    /// Daily copies of the games to keep; 0 makes none
    #[arg(long, value_name = "N", default_value_t = 7)]
    backups: usize,
    /// Another name under which the server is reached, such as that of a proxy in front of it
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// Address or network of a proxy that says where requests come from, such as 127.0.0.1
    #[arg(long, value_name = "ADDRESS")]
    trusted_proxy: Vec<TrustedProxy>,
    /// Print a new link that makes a browser the owner's, who sees and may do everything
    #[arg(long)]
    owner_token: bool,
    /// Set a limit, such as requests=600; docs/serve.md lists them
    #[arg(long, value_name = "NAME=VALUE")]
    limit: Vec<String>,
    /// Let a classic play from books of its own format: javachess:mtdf:book=FILE or chessbin:hard:book=FILE
    #[arg(long, value_name = "CLASSIC", value_parser = crate::think::read_classic)]
    classic: Vec<PlayerSpec>,
    /// Engines at work at once [default: one for each processor core]
    #[arg(long, value_parser = numbers::from_to(1_u16, 512))]
    engines: Option<u16>,
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false)
        .with_max_level(tracing::Level::WARN)
        .init();
    let runtime = tokio::runtime::Runtime::new().context("cannot start the server")?;
    runtime.block_on(serve(args))
}

async fn serve(args: &Args) -> Result<ExitCode> {
    let address = (args.host.as_str(), args.port)
        .to_socket_addrs()
        .ok()
        .and_then(|mut addresses| addresses.next())
        .with_context(|| format!("--host {}: there is no such address", args.host))?;
    let data = data_directory(args.data.as_deref())?;
    let mut own_names = vec![args.host.clone()];
    if let Ok(name) = hostname() {
        own_names.push(format!("{name}.local"));
        own_names.push(name);
    }
    let mut limits = Limits::default();
    for limit in &args.limit {
        limits.set(limit).with_context(|| format!("--limit {limit}"))?;
    }
    if args.password.as_deref().is_some_and(str::is_empty) {
        bail!("--password: an empty password protects nothing");
    }
    if args.recover {
        games::recover(&data)?;
    }
    let config = Config {
        backups: args.backups,
        own_names,
        names: args.name.clone(),
        proxies: args.trusted_proxy.clone(),
        new_owner_token: args.owner_token,
        limits,
        password: args.password.clone(),
        engines: args.engines.unwrap_or(0).into(),
        books: classic_books(&args.classic)?,
        ..Config::new(address, data)
    };
    let server = Server::start(config).await.map_err(|error| match error {
        StartError::PortTaken(taken) => {
            let free = taken.port().wrapping_add(1).max(1024);
            anyhow!("{error}; try another: PORT={free} make play, or gardez serve --port {free}")
        }
        error => error.into(),
    })?;
    announce(server.address(), server.owner_token(), args);
    let mut stderr = io::stderr();
    if let Err(Unsaved { changes, cause }) = server.run(stop_signal()).await {
        let changes = numbers::count(changes, "change");
        let _ = writeln!(stderr, "Stopped. {changes} could not be saved ({cause}); the games are as before.");
        return Ok(ExitCode::FAILURE);
    }
    let _ = writeln!(stderr, "Stopped; all games are saved.");
    Ok(ExitCode::SUCCESS)
}

/// The books of the classics. Visitors see the names of their files, not where they are.
fn classic_books(classics: &[PlayerSpec]) -> Result<ClassicBooks> {
    let mut books = ClassicBooks::default();
    for classic in classics {
        let PlayerKind::Classic(spec) = classic.kind else { continue };
        let mut texts = players::read_books(&classic.book_files())?;
        for book in &mut texts {
            let name = Path::new(&book.name).file_name();
            book.name = name.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        }
        books.add(spec, texts).with_context(|| format!("--classic {spec}"))?;
    }
    Ok(books)
}

/// The directory for games and reviews: the one that was asked for, else the user's.
pub(crate) fn data_directory(wanted: Option<&Path>) -> Result<PathBuf> {
    match (wanted, dirs::data_dir()) {
        (Some(directory), _) => Ok(directory.to_owned()),
        (None, Some(directory)) => Ok(directory.join("gardez")),
        (None, None) => bail!("no data directory is known for this user; name one with --data"),
    }
}

/// The name of this machine, if the system has it in a file.
fn hostname() -> io::Result<String> {
    let name = std::fs::read_to_string("/etc/hostname")?;
    Ok(name.trim().to_owned())
}

/// Prints where the page is, and opens it if that is wanted. A closed standard output is no reason to stop.
fn announce(address: SocketAddr, owner_token: Option<&str>, args: &Args) {
    let local = local_url(address);
    let mut text = format!("Gardez is at {local}\n");
    if !address.ip().is_loopback() {
        text.push_str(&invitation(address, args.password.is_some()));
    }
    if let Some(token) = owner_token {
        let name = args.name.first().map_or_else(|| local.clone(), |name| format!("https://{name}/"));
        text.push_str(&format!("For the owner, once: {name}owner/{token}\n"));
    }
    text.push_str("Ctrl-C stops it.\n");
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if args.open && open::that_detached(&local).is_err() {
        let _ = writeln!(out, "There is no browser here to open; any that reaches the address will do.");
    }
}

/// The address of the page on this machine. `localhost` stands for the usual addresses alone.
fn local_url(address: SocketAddr) -> String {
    let usual: [IpAddr; 2] = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
    if address.ip().is_unspecified() || usual.contains(&address.ip()) {
        format!("http://localhost:{}/", address.port())
    } else {
        format!("http://{address}/")
    }
}

/// The address for other devices: as text and, for phones, as a picture.
fn invitation(address: SocketAddr, asks_password: bool) -> String {
    let mut text = String::new();
    for (number, url) in web::addresses(address).iter().enumerate() {
        text.push_str(&format!("For other devices in the network: {url}/\n"));
        if number == 0
            && let Ok(code) = QrCode::new(format!("{url}/"))
        {
            let picture =
                code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build();
            text.push_str(&format!("\n{picture}\n\n"));
        }
    }
    if !asks_password {
        text.push_str("Everyone in the network can play here; use --password to restrict that.\n");
    }
    text
}

/// Ready when the user or the system asks the server to stop.
async fn stop_signal() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let terminate = async {
            match signal(SignalKind::terminate()) {
                Ok(mut signals) => {
                    signals.recv().await;
                }
                Err(_) => std::future::pending::<()>().await,
            }
        };
        tokio::select! {
            () = interrupt => {}
            () = terminate => {}
        }
    }
    #[cfg(not(unix))]
    interrupt.await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_the_one_it_listens_on() {
        let url = |ip: [u8; 4]| local_url(SocketAddr::from((ip, 8080)));
        assert_eq!(url([127, 0, 0, 1]), "http://localhost:8080/");
        assert_eq!(url([0, 0, 0, 0]), "http://localhost:8080/");
        assert_eq!(url([127, 0, 0, 2]), "http://127.0.0.2:8080/");
        assert_eq!(url([192, 168, 7, 7]), "http://192.168.7.7:8080/");
    }

    #[test]
    fn other_devices_get_an_address_and_a_picture_of_it() {
        let address = SocketAddr::from(([192, 168, 7, 7], 8080));
        let text = invitation(address, false);
        assert!(text.contains("http://192.168.7.7:8080/"));
        assert!(text.contains('█') && text.contains("--password"));
        assert!(!invitation(address, true).contains("--password"));
    }
}
