//! A bounded store that the whole process shares: catalogs and schemas under the digest of their content (R11).

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Values by content key, at most so many and so heavy; the one used longest ago goes first.
#[derive(Debug)]
pub struct Cache<V> {
    entries: Mutex<Entries<V>>,
    most_entries: usize,
    most_weight: usize,
}

#[derive(Debug)]
struct Entries<V> {
    by_key: HashMap<Arc<str>, Entry<V>>,
    /// Keys by when they were last used, so that the oldest is found without looking at all of them.
    by_use: BTreeMap<u64, Arc<str>>,
    weight: usize,
    clock: u64,
}

#[derive(Debug)]
struct Entry<V> {
    value: Arc<V>,
    weight: usize,
    used: u64,
}

impl<V> Cache<V> {
    /// An empty cache of at most `most_entries` values, whose weights add up to at most `most_weight`.
    #[must_use]
    pub fn new(most_entries: usize, most_weight: usize) -> Self {
        let entries = Entries { by_key: HashMap::new(), by_use: BTreeMap::new(), weight: 0, clock: 0 };
        Self { entries: Mutex::new(entries), most_entries, most_weight }
    }

    /// The value under `key`, where it is still held.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Arc<V>> {
        self.lock().touch(key)
    }

    /// The value under `key`, made where it is not held. A value heavier than the whole cache is made and not kept.
    ///
    /// `make` runs outside of the lock, and may hold on to the key that it is given; of two threads that make the same value the first one's is given
    /// to both.
    pub fn get_or_insert(&self, key: &str, weight: usize, make: impl FnOnce(&Arc<str>) -> V) -> Arc<V> {
        if let Some(held) = self.get(key) {
            return held;
        }
        let key: Arc<str> = key.into();
        let value = Arc::new(make(&key));
        if weight > self.most_weight || self.most_entries == 0 {
            return value;
        }
        let mut dropped = Vec::new();
        let mut entries = self.lock();
        if let Some(held) = entries.touch(&key) {
            return held;
        }
        while entries.by_key.len() >= self.most_entries || entries.weight + weight > self.most_weight {
            let Some(gone) = entries.remove_oldest() else { break };
            dropped.push(gone);
        }
        let used = entries.tick();
        entries.weight += weight;
        entries.by_use.insert(used, Arc::clone(&key));
        entries.by_key.insert(key, Entry { value: Arc::clone(&value), weight, used });
        // What went out is freed after the lock: a large catalog takes a while.
        drop(entries);
        drop(dropped);
        value
    }

    fn lock(&self) -> MutexGuard<'_, Entries<V>> {
        // Nothing under the lock runs foreign code, so a poisoned lock still guards sound entries.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V> Entries<V> {
    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    fn touch(&mut self, key: &str) -> Option<Arc<V>> {
        let now = self.tick();
        let entry = self.by_key.get_mut(key)?;
        if let Some(key) = self.by_use.remove(&entry.used) {
            self.by_use.insert(now, key);
        }
        entry.used = now;
        Some(Arc::clone(&entry.value))
    }

    fn remove_oldest(&mut self) -> Option<Arc<V>> {
        let (_, key) = self.by_use.pop_first()?;
        let entry = self.by_key.remove(&key)?;
        self.weight -= entry.weight;
        Some(entry.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_used_longest_ago_goes_first() {
        let cache = Cache::new(2, 100);
        for key in ["a", "b"] {
            cache.get_or_insert(key, 1, |_| key);
        }
        assert!(cache.get("a").is_some());
        cache.get_or_insert("c", 1, |_| "c");
        assert!(cache.get("a").is_some() && cache.get("b").is_none() && cache.get("c").is_some());
    }

    #[test]
    fn weights_are_bounded_too() {
        let cache = Cache::new(10, 10);
        cache.get_or_insert("a", 6, |_| 1);
        cache.get_or_insert("b", 4, |_| 2);
        assert!(cache.get("a").is_some() && cache.get("b").is_some());
        cache.get_or_insert("c", 5, |_| 3);
        assert!(cache.get("a").is_none() && cache.get("b").is_some() && cache.get("c").is_some());
        assert_eq!(*cache.get_or_insert("d", 11, |_| 4), 4);
        assert!(cache.get("d").is_none() && cache.get("c").is_some());
    }

    #[test]
    fn threads_share_one_value() {
        let cache = Cache::new(4, 100);
        let values: Vec<Arc<u32>> = std::thread::scope(|scope| {
            let made: Vec<_> = (0..8)
                .map(|n| {
                    scope.spawn({
                        let cache = &cache;
                        move || cache.get_or_insert("k", 1, |_| n)
                    })
                })
                .collect();
            made.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(values.iter().all(|value| Arc::ptr_eq(value, &values[0])));
    }
}
