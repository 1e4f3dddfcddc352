import type { Instant } from '@matchyard/core'
import { STREAM_RETENTION } from '@matchyard/core/ports'
import type { Statements } from '../statements/index'
import { PRUNE_SLICE } from '../statements/prune'
import type { Slice } from './slice'

/**
 * Approximate number of bytes that one slice frees. Deletion reads every page of a large row, so the bytes bound the
 * time.
 */
const SLICE_BYTES = 1024 * 1024

/**
 * Deletes events from the lobbies' logs beyond the bounds of the storage port, in slices. Other writers can write
 * between two slices.
 */
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

/** Deletes the oldest events of a log beyond its bounds, up to one slice. Returns false when no such event is left. */
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

/**
 * Returns the version of the first event to keep. If a lobby was deleted before `since`, no event of its log is kept.
 */
function keptFrom(logs: Statements['logs'], lobby: string, since: Instant): number {
  const newest = logs.newestOf.get(lobby)
  if (newest === undefined) return 0
  if (newest.name === 'lobby_deleted' && newest.at < since) return newest.version + 1
  const { events, bytes } = STREAM_RETENTION
  return logs.firstKept.get({ lobby, events, bytes, since }) ?? 0
}
