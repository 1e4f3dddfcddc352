import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { modifiedAt, namesIn } from './small-files'

/** Number of attempts per instance whose logs are kept, because an instance may be restarted any number of times. */
export const KEPT_ATTEMPTS = 10
/**
 * The share of instances above the limit at which a prune starts, so that the folder is not scanned after each ended
 * instance.
 */
const PRUNED_AT_ONCE = 0.1

const INSTANCE_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/

/**
 * Whether a name can be an instance id. The characters are restricted, because ids become names of folders and
 * containers.
 */
export const isInstanceId = (name: string): boolean => INSTANCE_ID.test(name)

/** Returns the instance id. Throws TypeError when the id is not safe as a folder name. */
export function checkedInstanceId(instanceId: string): string {
  if (!isInstanceId(instanceId)) throw new TypeError(`not an instance id: ${JSON.stringify(instanceId)}`)
  return instanceId
}

/**
 * Removes the oldest folders of ended instances from `ended`. Keeps the newest `keep` folders. Removes nothing until
 * there are a tenth more folders than `keep`.
 */
export async function pruneEnded(ended: string, keep: number): Promise<void> {
  const names = await namesIn(ended)
  if (names.length <= Math.floor(keep * (1 + PRUNED_AT_ONCE))) return
  const aged = await Promise.all(names.map(async (name) => ({ name, at: await modifiedAt(join(ended, name)) })))
  aged.sort((a, b) => b.at - a.at)
  for (const { name } of aged.slice(keep)) await rm(join(ended, name), { recursive: true, force: true })
}

/** Removes the entries of caches whose key is not in `present`. */
export function dropAbsent(
  present: ReadonlySet<string>,
  ...caches: readonly { keys(): Iterable<string>; delete(key: string): boolean }[]
): void {
  for (const cache of caches) {
    for (const key of cache.keys()) if (!present.has(key)) cache.delete(key)
  }
}
