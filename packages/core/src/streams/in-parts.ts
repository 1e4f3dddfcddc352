/** Yields the parts of a list, each of at most `size` items. */
export function* inParts<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}
