import type { Instant } from '@matchyard/core'
import { HOUR_MS } from '@matchyard/core/domain'
import { ARRIVALS_KEPT, ARRIVALS_KEPT_MS, DELIVERIES_KEPT_MS } from '@matchyard/core/ports'
import type { Database } from './database'
import { pruneStatements as statements } from './statements/prune'

/** Forgets what the port says, in slices between which other writers have their turn. */
export async function prune(database: Database, now: Instant): Promise<void> {
  const hourAgo = now - HOUR_MS
  const untilNone = async (slice: () => Promise<number>) => {
    while ((await slice()) > 0);
  }
  const count = async (sent: Promise<{ count: number }>) => (await sent).count
  await untilNone(async () => (await database.write(statements.commits, [hourAgo])).rows[0]?.n ?? 0)
  await untilNone(() => count(database.write(statements.tombstones, [hourAgo])))
  await untilNone(() => count(database.write(statements.waits, [hourAgo])))
  await untilNone(() => count(database.write(statements.idempotency, [now])))
  await untilNone(() => count(database.write(statements.cooldowns, [now])))
  const nextQueue = async (after: string) => (await database.read(statements.nextArrivalQueue, [after])).rows[0]?.queue
  for (let queue = await nextQueue(''); queue; queue = await nextQueue(queue)) {
    const key = queue
    await untilNone(() => count(database.write(statements.arrivals, [key, now - ARRIVALS_KEPT_MS])))
    await untilNone(() => count(database.write(statements.arrivalsOver, [key, ARRIVALS_KEPT])))
  }
  await untilNone(() => count(database.write(statements.deliveries, [now - DELIVERIES_KEPT_MS])))
  await untilNone(() => count(database.write(statements.messages, [now - DELIVERIES_KEPT_MS])))
  let from: { scope: string; member: string } | undefined = { scope: '', member: '' }
  while (from !== undefined) {
    from = (await database.write(statements.presence, [from.scope, from.member, hourAgo])).rows[0]
  }
  // A total that is being added to is locked; it is deleted only if it is still zero then.
  await database.write(statements.emptyLobbyCounts, [])
  await database.write(statements.emptyServerCounts, [])
  await database.write(statements.emptyTicketCounts, [])
}
