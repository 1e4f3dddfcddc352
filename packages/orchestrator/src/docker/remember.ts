/** Builds and images looked at; the one that was remembered first is looked at again. */
export const REMEMBERED = 1_000

/** Keeps a value in a map that stays within its bound. */
export function remember<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= REMEMBERED) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
