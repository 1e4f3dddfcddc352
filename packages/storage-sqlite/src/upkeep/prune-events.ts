import type { Instant } from '@matchyard/core'
import { STREAM_RETENTION } from '@matchyard/core/ports'
import type { Statements } from '../statements/index'
import { PRUNE_SLICE } from '../statements/prune'
import type { Slice } from './slice'

/** Approximate bytes that one slice frees; deletion reads every page of a large row. */
const SLICE_BYTES = 1024 * 1024

/** Cuts logs to the bounds of the port, in slices between which other writers take their turn. */
export async function pruneEvents({ logs }: Statements, slice: Slice, now: Instant): Promise<void> {
  const before = now - STREAM_RETENTION.ms
  const cutAll = async (lobbyIds: string[]) => {
    const some = () => {
      const cost = { rows: 0, bytes: 0 }
      for (let id = lobbyIds.at(-1); id !== undefined; id = lobbyIds.at(-1)) {
        if (cost.rows >= PRUNE_SLICE || cost.bytes >= SLICE_BYTES) break
        if (!cutOne(logs, id, before, cost)) lobbyIds.pop()
      }
      return lobbyIds.length
    }
    while ((await slice(some)) > 0);
  }
  await cutAll(logs.longLogs.all())
  for (let after = Number.MIN_SAFE_INTEGER; after < before; ) {
    const to = logs.agedSlice.get({ after, before }) ?? before
    await cutAll(logs.agedLogs.all({ after, to, before }))
    after = to
  }
}

/** Deletes the oldest events that a log must forget, up to one slice; returns false when none is left. */
function cutOne(
  logs: Statements['logs'],
  lobby: string,
  since: Instant,
  cost: { rows: number; bytes: number },
): boolean {
  const oldest = logs.oldestOf.get(lobby)
  const version = keptFrom(logs, lobby, since)
  if (oldest === undefined || version <= oldest.version) return false
  cost.rows += logs.eventsBefore.run({ lobby, version, start: oldest.start + SLICE_BYTES }).changes
  cost.bytes += (logs.oldestOf.get(lobby)?.start ?? oldest.start + SLICE_BYTES) - oldest.start
  return true
}

/** Returns the first version to keep; a lobby that was deleted long ago keeps no event. */
function keptFrom(logs: Statements['logs'], lobby: string, since: Instant): number {
  const newest = logs.newestOf.get(lobby)
  if (newest === undefined) return 0
  if (newest.name === 'lobby_deleted' && newest.at < since) return newest.version + 1
  const { events, bytes } = STREAM_RETENTION
  return logs.firstKept.get({ lobby, events, bytes, since }) ?? 0
}
