//! Secrets of links. The database holds only their hashes, so that whoever reads it or a copy of it gets into no game.

use super::fault::{Fault, Result};
use backend::random;
use backend::store::LinkKind;
use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::io;
use std::path::Path;

/// The key that the secrets of all links are made with. It lies in a file of its own.
pub(crate) struct LinkKey([u8; 32]);

impl LinkKey {
    /// Reads the key, or makes one.
    ///
    /// # Errors
    /// When the file can neither be read nor written.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        match std::fs::read(path) {
            Ok(bytes) => {
                if let Ok(key) = <[u8; 32]>::try_from(bytes) {
                    return Ok(Self(key));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let key = random::bytes().map_err(|error| io::Error::other(error.message))?;
        super::files::write_private(path, &key)?;
        Ok(Self(key))
    }

    fn digest(&self, parts: [&str; 2]) -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update(self.0);
        for part in parts {
            hasher.update(part.as_bytes());
            hasher.update(b"\0");
        }
        hasher.finalize().into()
    }

    /// The secret of a link: 130 bits that follow from the key.
    #[must_use]
    pub(crate) fn token(&self, kind: LinkKind, game: &str) -> String {
        let kind = match kind {
            LinkKind::Invite => "invite",
            LinkKind::Watch => "watch",
        };
        random::letters(&self.digest([kind, game])[..26])
    }

    /// The hash of such a secret, as the database has it.
    pub(super) fn hash(&self, kind: LinkKind, game: &str) -> String {
        hash(&self.token(kind, game))
    }
}

/// The hash of a secret.
pub(super) fn hash(token: &str) -> String {
    let mut text = String::with_capacity(64);
    for byte in <[u8; 32]>::from(Sha256::digest(token.as_bytes())) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The game that a secret is for.
pub(super) fn find(connection: &Connection, token: &str) -> Result<Option<(String, LinkKind)>> {
    let found = connection
        .prepare_cached(
            "SELECT id, 'invite' FROM game WHERE invite_token = ?1 AND deleted IS NULL
             UNION ALL SELECT id, 'watch' FROM game WHERE watch_token = ?1 AND deleted IS NULL
             UNION ALL SELECT game, o.kind FROM old_link o JOIN game g ON g.id = o.game
                WHERE hash = ?1 AND deleted IS NULL AND (o.kind = 'watch' OR invite_token IS NOT NULL)",
        )?
        .query_row([hash(token)], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))
        .optional()?;
    found
        .map(|(game, kind)| match kind.as_str() {
            "invite" => Ok((game, LinkKind::Invite)),
            "watch" => Ok((game, LinkKind::Watch)),
            _ => Err(Fault::internal(&"a link of no kind")),
        })
        .transpose()
}

/// Links that were given out when their secrets were stored as they are stay good.
pub(super) fn keep_old(connection: &Connection) -> rusqlite::Result<()> {
    let mut statement = connection.prepare("SELECT id, watch_token, invite_token FROM game")?;
    let mut rows = statement.query([])?;
    let mut insert = connection.prepare("INSERT OR IGNORE INTO old_link VALUES (?1, ?2, ?3)")?;
    while let Some(row) = rows.next()? {
        let (id, watch, invite): (String, String, Option<String>) = (row.get(0)?, row.get(1)?, row.get(2)?);
        insert.execute([&hash(&watch), &id, "watch"])?;
        if let Some(invite) = invite {
            insert.execute([&hash(&invite), &id, "invite"])?;
        }
    }
    Ok(())
}

/// Makes the links of all games with this key, unless they were made with it.
pub(super) fn renew(connection: &mut Connection, key: &LinkKey) -> rusqlite::Result<()> {
    let check = key.digest(["check", ""]).to_vec();
    let known: Option<Vec<u8>> = connection
        .query_row("SELECT value FROM setting WHERE name = 'link-key'", [], |row| row.get(0))
        .optional()?;
    if known.as_ref() == Some(&check) {
        return Ok(());
    }
    let transaction = connection.transaction()?;
    {
        let mut statement = transaction.prepare("SELECT id, invite_token IS NOT NULL FROM game")?;
        let games: Vec<(String, bool)> = statement
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        let mut update =
            transaction.prepare("UPDATE game SET watch_token = ?2, invite_token = ?3 WHERE id = ?1")?;
        for (id, is_open) in games {
            let invite = is_open.then(|| key.hash(LinkKind::Invite, &id));
            update.execute(params![id, key.hash(LinkKind::Watch, &id), invite])?;
        }
    }
    transaction.execute("INSERT OR REPLACE INTO setting VALUES ('link-key', ?1)", [check])?;
    transaction.commit()
}
