//! Whose turn it is: fair between networks, and within a network between visitors.

use crate::networks::Network;
use backend::Visitor;
use std::collections::HashMap;
use std::hash::Hash;

/// Those served lately that are remembered.
const MAX_REMEMBERED: usize = 10_000;

/// For whom something is done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Asker {
    /// Who has asked.
    pub(crate) visitor: Visitor,
    /// From where.
    pub(crate) network: Network,
}

/// How often something runs, and when it ran last, for each of those that ask.
struct Record<K> {
    running: HashMap<K, usize>,
    served: HashMap<K, u64>,
}

impl<K> Default for Record<K> {
    fn default() -> Self {
        Self { running: HashMap::new(), served: HashMap::new() }
    }
}

impl<K: Eq + Hash + Clone> Record<K> {
    fn rank(&self, key: &K) -> (usize, u64) {
        (self.running.get(key).copied().unwrap_or(0), self.served.get(key).copied().unwrap_or(0))
    }

    fn begin(&mut self, key: &K, turn: u64) {
        *self.running.entry(key.clone()).or_default() += 1;
        if self.served.len() >= MAX_REMEMBERED {
            self.served.clear();
        }
        self.served.insert(key.clone(), turn);
    }

    fn end(&mut self, key: &K) {
        if let Some(count) = self.running.get_mut(key) {
            *count -= 1;
            if *count == 0 {
                self.running.remove(key);
            }
        }
    }
}

/// What runs and what ran, to choose what runs next.
#[derive(Default)]
pub(crate) struct Fairness {
    networks: Record<Network>,
    visitors: Record<Visitor>,
    turns: u64,
}

impl Fairness {
    /// Takes out what is to run next: of the network with the least running that was served longest ago, and there
    /// of such a visitor. It counts as running until [`end`](Self::end).
    pub(crate) fn begin_next<T>(&mut self, waiting: &mut Vec<T>, asker: impl Fn(&T) -> &Asker) -> Option<T> {
        let rank = |item: &T| {
            let Asker { visitor, network } = asker(item);
            (self.networks.rank(network), self.visitors.rank(visitor))
        };
        let (index, _) = waiting.iter().enumerate().min_by_key(|(_, item)| rank(item))?;
        let item = waiting.remove(index);
        let Asker { visitor, network } = asker(&item);
        self.turns += 1;
        self.networks.begin(network, self.turns);
        self.visitors.begin(visitor, self.turns);
        Some(item)
    }

    /// What was begun has ended.
    pub(crate) fn end(&mut self, asker: &Asker) {
        self.networks.end(&asker.network);
        self.visitors.end(&asker.visitor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    fn asker(network: u8, visitor: &str) -> Asker {
        Asker { visitor: visitor.into(), network: Network::of(IpAddr::from([192, 0, 2, network])) }
    }

    /// The order in which visitors get their turns, one at a time.
    fn order(waiting: &[(u8, &str)]) -> Vec<String> {
        let mut waiting: Vec<Asker> = waiting.iter().map(|&(network, name)| asker(network, name)).collect();
        let mut fairness = Fairness::default();
        let mut served = Vec::new();
        while let Some(next) = fairness.begin_next(&mut waiting, |asker| asker) {
            fairness.end(&next);
            served.push(next.visitor.to_string());
        }
        served
    }

    #[test]
    fn visitors_take_turns() {
        assert_eq!(order(&[(1, "a"), (1, "a"), (1, "a"), (1, "b")]), ["a", "b", "a", "a"]);
    }

    #[test]
    fn many_cookies_of_one_network_are_one() {
        let crowd = [(1, "a"), (1, "b"), (1, "c"), (1, "d"), (2, "x"), (2, "x")];
        assert_eq!(order(&crowd), ["a", "x", "b", "x", "c", "d"]);
    }

    #[test]
    fn who_has_nothing_running_comes_first() {
        let mut fairness = Fairness::default();
        let mut waiting = vec![asker(1, "a"), asker(1, "a"), asker(1, "b"), asker(2, "c")];
        let mut next =
            || fairness.begin_next(&mut waiting, |asker| asker).map(|next| next.visitor.to_string());
        let order: Vec<String> = std::iter::from_fn(&mut next).collect();
        assert_eq!(order, ["a", "c", "b", "a"]);
    }
}
