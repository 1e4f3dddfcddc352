import type { Instant } from '@matchyard/core'
import { HOUR_MS } from '@matchyard/core/domain'
import {
  ARRIVALS_KEPT,
  ARRIVALS_KEPT_MS,
  AUDIT_KEPT,
  AUDIT_KEPT_MS,
  arrivalsEnd,
  arrivalsFrom,
  auditSettledAt,
  DELIVERIES_KEPT_MS,
  HISTORY_KEPT_MS,
  HISTORY_STEP_NAMES,
  HISTORY_STEPS,
  queueOfArrivals,
} from '@matchyard/core/ports'
import { fromColumn, toColumn } from './column-text'
import type { Database } from './database'
import { pruneStatements as statements } from './statements/prune'

/** Time of the last complete prune by this process; undefined before the first. */
export interface LastPrune {
  at?: Instant
}

/**
 * Deletes the data that the storage port no longer keeps (listed at `prune` of the port), in slices, so that other writers
 * can write between two slices.
 */
export async function prune(database: Database, pruned: LastPrune, now: Instant): Promise<void> {
  const hourAgo = now - HOUR_MS
  const untilNone = async (slice: () => Promise<number>) => {
    while ((await slice()) > 0);
  }
  const count = async (sent: Promise<{ count: number }>) => (await sent).count
  await untilNone(async () => (await database.write(statements.commits, [hourAgo])).rows[0]?.n ?? 0)
  await untilNone(() => count(database.write(statements.tombstones, [hourAgo])))
  await untilNone(() => count(database.write(statements.waits, [hourAgo])))
  for (const step of HISTORY_STEP_NAMES) {
    const before = now - HISTORY_KEPT_MS[step]
    await untilNone(() => count(database.write(statements.history, [HISTORY_STEPS[step], before])))
  }
  await untilNone(() => count(database.write(statements.idempotency, [now])))
  await untilNone(() => count(database.write(statements.cooldowns, [now])))
  const nextBatch = async (after: string) => (await database.read(statements.nextArrivals, [after])).rows[0]?.id
  for (let batch = await nextBatch(''); batch; ) {
    const queueKey = queueOfArrivals(fromColumn(batch))
    const [from, to] = [arrivalsFrom(queueKey, 0), arrivalsEnd(queueKey)].map(toColumn)
    const old = toColumn(arrivalsFrom(queueKey, now - ARRIVALS_KEPT_MS))
    await untilNone(() => count(database.write(statements.arrivals, [from, old])))
    await untilNone(() => count(database.write(statements.arrivalsOver, [from, to, ARRIVALS_KEPT])))
    batch = await nextBatch(to ?? '')
  }
  await untilNone(() => count(database.write(statements.audit, [now - AUDIT_KEPT_MS])))
  for await (const scope of auditScopes(database, pruned.at)) {
    await untilNone(() => count(database.write(statements.auditOver, [scope, AUDIT_KEPT])))
  }
  await untilNone(() => count(database.write(statements.deliveries, [now - DELIVERIES_KEPT_MS])))
  await untilNone(() => count(database.write(statements.messages, [now - DELIVERIES_KEPT_MS])))
  let from: { scope: string; member: string } | undefined = { scope: '', member: '' }
  while (from !== undefined) {
    from = (await database.write(statements.presence, [from.scope, from.member, hourAgo])).rows[0]
  }
  // Deletes totals that are zero. The statement waits for a commit that has locked a total, and deletes the total only
  // if it is still zero after that commit.
  await database.write(statements.emptyLobbyCounts, [])
  await database.write(statements.emptyServerCounts, [])
  await database.write(statements.emptyTicketCounts, [])
  pruned.at = now
}

/**
 * Returns the scopes of the audit log that may have too many entries: those with new entries, or at the first prune of
 * this process all scopes, in the order of the index.
 */
async function* auditScopes(database: Database, prunedAt: Instant | undefined): AsyncGenerator<string> {
  if (prunedAt !== undefined) {
    const { rows } = await database.read(statements.auditScopesSince, [auditSettledAt(prunedAt)])
    for (const { scope } of rows) yield scope
    return
  }
  const nextScope = async (after: string) => (await database.read(statements.nextAuditScope, [after])).rows[0]?.scope
  for (let scope: string | null | undefined = ''; scope != null; scope = await nextScope(scope)) yield scope
}
