/** The most builds or images that a cache holds. */
export const REMEMBERED = 1_000

/** Stores a value in a map, and removes the oldest entry above 1,000 entries. */
export function remember<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= REMEMBERED) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
