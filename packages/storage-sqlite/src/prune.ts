import { HOUR_MS, type Instant, STREAM_RETENTION } from '@matchyard/core'
import type { Statements } from './statements/index'

/** Runs one slice in a durable transaction of the group and says how many rows went. */
type Slice = (run: () => number) => Promise<number>

/** Forgets what the port says, in slices between which other writers have their turn. */
export async function prune({ prune: statements }: Statements, slice: Slice, now: Instant): Promise<void> {
  const hourAgo = now - HOUR_MS
  const untilNone = async (run: () => number) => {
    while ((await slice(run)) > 0);
  }
  await pruneLog(statements, slice, hourAgo)
  await untilNone(() => statements.tombstones.run(hourAgo).changes)
  await untilNone(() => statements.waits.run(hourAgo).changes)
  await untilNone(() => statements.idempotency.run(now).changes)
  await untilNone(() => {
    const lobbyId = statements.deletedStream.get(now - STREAM_RETENTION.ms)
    return lobbyId === undefined ? 0 : statements.eventsBefore.run(lobbyId, Number.MAX_SAFE_INTEGER).changes
  })
  for (const lobbyId of statements.longStreams.all()) {
    const keepFrom = firstKept(statements, lobbyId, now)
    await untilNone(() => statements.eventsBefore.run(lobbyId, keepFrom).changes)
  }
  await slice(() => {
    statements.emptyLobbyCounts.run()
    statements.emptyServerCounts.run()
    statements.emptyQueues.run()
    return 0
  })
}

async function pruneLog(statements: Statements['prune'], slice: Slice, before: Instant): Promise<void> {
  let from = ''
  const next = () => {
    const to = statements.logSlice.get(from) ?? ''
    const range = { from, to, before }
    // A slice with nothing old in it writes nothing, and costs no sync.
    if (statements.oldCommit.get(range) !== undefined) {
      statements.newestForgotten.run(range)
      statements.commits.run(range)
    }
    from = to
    return to === '' ? 0 : 1
  }
  while ((await slice(next)) > 0);
}

// An event goes only when none of the three figures keeps it; as ages and sizes only grow backwards, what goes is a prefix.
function firstKept(statements: Statements['prune'], lobbyId: string, now: Instant): number {
  let count = 0
  let bytes = 0
  let keepFrom = 0
  for (const event of statements.eventSizes.iterate(lobbyId)) {
    count += 1
    bytes += event.bytes
    if (count > STREAM_RETENTION.events && event.at < now - STREAM_RETENTION.ms && bytes > STREAM_RETENTION.bytes) break
    keepFrom = event.version
  }
  return keepFrom
}
