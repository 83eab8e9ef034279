//! The network that is built in, if there is one.

use crate::Network;
use std::sync::Arc;

/// Whether a network is built in.
pub const IS_EMBEDDED: bool = cfg!(embedded_network);

#[cfg(embedded_network)]
mod bytes {
    pub(super) const BYTES: &[u8] = include_bytes!(env!("GARDEZ_NETWORK"));

    const _: () = assert!(
        BYTES.len() == crate::file::length(crate::HIDDEN),
        "the network to build in has another architecture than nnue::HIDDEN"
    );
}

/// The network that is built in.
///
/// # Panics
/// When the file was damaged before it was built in.
#[must_use]
pub fn embedded() -> Option<Arc<Network>> {
    #[cfg(embedded_network)]
    {
        static NETWORK: std::sync::LazyLock<Arc<Network>> = std::sync::LazyLock::new(|| {
            Arc::new(Network::decode(bytes::BYTES).expect("the network that is built in is whole"))
        });
        Some(Arc::clone(&NETWORK))
    }
    #[cfg(not(embedded_network))]
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_built_in_can_be_played_with() {
        assert_eq!(super::embedded().is_some(), super::IS_EMBEDDED);
    }
}
