/**
 * Returns the items that are needed to make `fails` true. The function removes halves, then quarters, then single
 * items, as long as the remaining items still fail. It calls `fails` at most `tries` times.
 */
export async function shrink<T>(
  items: readonly T[],
  fails: (fewer: readonly T[]) => Promise<boolean>,
  tries: number,
): Promise<readonly T[]> {
  let current = items
  let left = tries
  for (let size = Math.ceil(items.length / 2); size >= 1 && left > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < current.length && left > 0; ) {
      const fewer = [...current.slice(0, from), ...current.slice(from + size)]
      left--
      if (await fails(fewer)) current = fewer
      else from += size
    }
  }
  return current
}
