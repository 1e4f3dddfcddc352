import type { Instant } from '@matchyard/core'
import { STREAM_RETENTION } from '@matchyard/core/ports'
import type { Database } from './database'
import { PRUNE_SLICE } from './statements/prune'
import { streamLogStatements as statements } from './statements/stream-log'

/**
 * Deletes events from the lobbies' logs beyond the bounds of the storage port, in slices. Other writers can write
 * between two slices.
 */
export async function pruneEvents(database: Database, now: Instant): Promise<void> {
  const { events, bytes } = STREAM_RETENTION
  const before = now - STREAM_RETENTION.ms
  const cut = async (logs: readonly { lobby_id: string }[]) => {
    const lobbyIds = logs.map(({ lobby_id }) => lobby_id)
    for (let from = 0; from < lobbyIds.length; from += PRUNE_SLICE) {
      const some = lobbyIds.slice(from, from + PRUNE_SLICE)
      while ((await database.write(statements.cut, [some, events, before, bytes])).count > 0);
    }
  }
  await cut((await database.read(statements.longLogs)).rows)
  for (let after = Number.MIN_SAFE_INTEGER; after < before; ) {
    const to = (await database.read(statements.agedSlice, [after, before])).rows[0]?.at ?? before
    await cut((await database.read(statements.agedLogs, [after, to, before])).rows)
    after = to
  }
}
