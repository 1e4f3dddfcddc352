import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { modifiedAt, namesIn } from './small-files'

/** Of one ended instance: one that is restarted without end keeps the logs of so many attempts. */
export const KEPT_ATTEMPTS = 10
/** Ended instances are dropped so many at a time, so that not every end looks at all that are kept. */
const PRUNED_AT_ONCE = 0.1

const INSTANCE_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/

/** Whether a name can be an instance's: ids become names of folders and containers. */
export const isInstanceId = (name: string): boolean => INSTANCE_ID.test(name)

/** The id itself. Throws a TypeError where it could not be the name of a folder. */
export function checkedInstanceId(instanceId: string): string {
  if (!isInstanceId(instanceId)) throw new TypeError(`not an instance id: ${JSON.stringify(instanceId)}`)
  return instanceId
}

/** Keeps the newest `keep` of the ended instances, which have a folder each in `ended`, and at times a tenth more. */
export async function pruneEnded(ended: string, keep: number): Promise<void> {
  const names = await namesIn(ended)
  if (names.length <= Math.floor(keep * (1 + PRUNED_AT_ONCE))) return
  const aged = await Promise.all(names.map(async (name) => ({ name, at: await modifiedAt(join(ended, name)) })))
  aged.sort((a, b) => b.at - a.at)
  for (const { name } of aged.slice(keep)) await rm(join(ended, name), { recursive: true, force: true })
}

/** What a look learned once and need not ask again goes with the thing that it was learned of. `present`: what is still there. */
export function dropAbsent(
  present: ReadonlySet<string>,
  ...caches: readonly { keys(): Iterable<string>; delete(key: string): boolean }[]
): void {
  for (const cache of caches) {
    for (const key of cache.keys()) if (!present.has(key)) cache.delete(key)
  }
}
