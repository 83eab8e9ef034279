//! Names that cannot be guessed.

use crate::error::{Error, Result};

/// Letters and digits without those that look alike.
const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";

/// The length of the names of games.
const GAME_ID: usize = 12;

/// A random text of this length, five bits a character.
///
/// # Errors
/// When the system has no random numbers.
pub fn text(length: usize) -> Result<String> {
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes).map_err(|error| Error::internal(&error))?;
    Ok(letters(&bytes))
}

/// Random bytes, for keys and salts.
///
/// # Errors
/// When the system has no random numbers.
pub fn bytes<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| Error::internal(&error))?;
    Ok(bytes)
}

/// Bytes as letters, five bits of each.
#[must_use]
pub fn letters(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

/// A random number.
///
/// # Errors
/// When the system has no random numbers.
pub fn number() -> Result<u64> {
    getrandom::u64().map_err(|error| Error::internal(&error))
}

/// The names of games: long enough that two never meet.
///
/// # Errors
/// When the system has no random numbers.
pub fn game_id() -> Result<String> {
    text(GAME_ID)
}

/// Whether a text could be the name of a game.
#[must_use]
pub fn is_game_id(text: &str) -> bool {
    text.len() == GAME_ID && text.bytes().all(|byte| ALPHABET.contains(&byte))
}

/// Secrets: 130 bits.
///
/// # Errors
/// When the system has no random numbers.
pub fn secret() -> Result<String> {
    text(26)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_of_the_alphabet_and_differ() {
        let (one, other) = (secret().expect("random"), secret().expect("random"));
        assert_ne!(one, other);
        assert!(one.bytes().all(|byte| ALPHABET.contains(&byte)));
        assert_eq!(one.len(), 26);
        assert!(is_game_id(&game_id().expect("random")) && !is_game_id(&one) && !is_game_id("../../../../x"));
    }
}
