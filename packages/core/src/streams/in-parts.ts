/** Yields consecutive parts of a list. Each part has at most `size` items. */
export function* inParts<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}
