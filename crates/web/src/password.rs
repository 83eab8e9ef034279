//! The password, as a key that is slow to make.

use argon2::Argon2;
use backend::{Error, Result};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Bytes of the salt.
pub(crate) const SALT: usize = 16;

/// A key made from the password with Argon2id: 19 MiB and two passes for every guess. The database keeps the salt
/// and what is made of the key, never the key.
#[derive(Clone)]
pub(crate) struct PasswordKey {
    salt: [u8; SALT],
    key: [u8; 32],
}

impl PasswordKey {
    /// The key of a password. It takes long, so not on a thread that answers others.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub(crate) fn new(password: &str, salt: [u8; SALT]) -> Result<Self> {
        let mut key = [0; 32];
        Argon2::default()
            .hash_password_into(password.as_bytes(), &salt, &mut key)
            .map_err(|error| Error::internal(&error))?;
        Ok(Self { salt, key })
    }

    /// The salt with which it was made.
    #[must_use]
    pub(crate) const fn salt(&self) -> [u8; SALT] {
        self.salt
    }

    /// Whether both were made from one password, without telling by time where they differ.
    #[must_use]
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.key.ct_eq(&other.key).into()
    }

    /// What is kept of a log-in: it proves that the visitor knew the password, and is of no use to another visitor.
    #[must_use]
    pub(crate) fn proof(&self, visitor: &str) -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update(b"gardez log-in 2\0");
        hasher.update(self.key);
        hasher.update(visitor.as_bytes());
        hasher.finalize().into()
    }
}

/// What was kept of a log-in before; fast to make, so it is replaced as soon as the password is known.
#[must_use]
pub(crate) fn old_proof(visitor: &str, password: &str) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(b"gardez log-in\0");
    hasher.update(visitor.as_bytes());
    hasher.update(b"\0");
    hasher.update(password.as_bytes());
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_proofs_depend_on_password_salt_and_visitor() {
        let key = |password: &str, salt: u8| PasswordKey::new(password, [salt; SALT]).expect("memory");
        let (one, same, other, salted) = (key("a", 1), key("a", 1), key("b", 1), key("a", 2));
        assert!(one.is_same(&same) && !one.is_same(&other) && !one.is_same(&salted));
        assert_eq!(one.proof("x"), same.proof("x"));
        assert_ne!(one.proof("x"), one.proof("y"));
        assert_ne!(one.proof("x"), other.proof("x"));
    }
}
