import type { Instant } from '@matchyard/core'
import { HOUR_MS } from '@matchyard/core/domain'
import {
  AUDIT_KEPT,
  AUDIT_KEPT_MS,
  auditSettledAt,
  CHANGE_RETENTION_MS,
  DELIVERIES_KEPT_MS,
  HISTORY_KEPT_MS,
  HISTORY_STEP_NAMES,
  HISTORY_STEPS,
} from '@matchyard/core/ports'
import type { Statements } from '../statements/index'
import type { KeptArrivals } from './kept-arrivals'
import type { Slice } from './slice'

/** Time of the last complete prune by this process; undefined before the first. */
export interface LastPrune {
  at?: Instant
}

/**
 * Deletes the data that the storage port no longer keeps (listed at `prune` of the port), in slices, so that other writers
 * can write between two slices.
 */
export async function prune(
  { prune: statements, changes }: Statements,
  arrivals: KeptArrivals,
  pruned: LastPrune,
  slice: Slice,
  now: Instant,
): Promise<void> {
  const hourAgo = now - HOUR_MS
  const untilNone = async (run: () => number) => {
    while ((await slice(run)) > 0);
  }
  await pruneLog(statements, slice, hourAgo)
  await untilNone(() => statements.tombstones.run(hourAgo).changes)
  await untilNone(() => forgetChanges(changes, now))
  await untilNone(() => statements.waits.run(hourAgo).changes)
  for (const step of HISTORY_STEP_NAMES) {
    const before = now - HISTORY_KEPT_MS[step]
    await untilNone(() => statements.history.run(HISTORY_STEPS[step], before).changes)
  }
  await untilNone(() => statements.idempotency.run(now).changes)
  await untilNone(() => statements.cooldowns.run(now).changes)
  await arrivals.prune(statements, slice, now)
  await untilNone(() => statements.audit.run(now - AUDIT_KEPT_MS).changes)
  for (const scope of auditScopes(statements, pruned.at)) {
    await untilNone(() => statements.auditOver.run(scope, AUDIT_KEPT).changes)
  }
  await untilNone(() => statements.deliveries.run(now - DELIVERIES_KEPT_MS).changes)
  await untilNone(() => statements.messages.run(now - DELIVERIES_KEPT_MS).changes)
  await prunePresence(statements, slice, hourAgo)
  await slice(() => {
    statements.emptyLobbyCounts.run()
    statements.emptyServerCounts.run()
    statements.emptyQueues.run()
    return 0
  })
  pruned.at = now
}

/**
 * Returns the scopes of the audit log that may have too many entries: those with new entries, or at the first prune of
 * this process all scopes, in the order of the index.
 */
function* auditScopes(statements: Statements['prune'], prunedAt: Instant | undefined): Generator<string> {
  if (prunedAt !== undefined) {
    yield* statements.auditScopesSince.all(auditSettledAt(prunedAt))
    return
  }
  for (let scope: string | null | undefined = ''; scope != null; scope = statements.nextAuditScope.get(scope)) {
    yield scope
  }
}

/** Deletes the oldest rows of the log of changes; returns the number of deleted rows. */
function forgetChanges({ slice, forget }: Statements['changes'], now: Instant): number {
  const rows = slice.all()
  // The newest row is kept, so that its number is not used again.
  const kept = rows.findIndex(({ at }, index) => at >= now - CHANGE_RETENTION_MS || index === rows.length - 1)
  const last = rows[kept - 1]
  return last === undefined ? 0 : forget.run(last.sequence).changes
}

async function pruneLog(statements: Statements['prune'], slice: Slice, before: Instant): Promise<void> {
  let from = ''
  const next = () => {
    const to = statements.logSlice.get(from) ?? ''
    const range = { from, to, before }
    // If a slice has no old rows, nothing is written, so no sync is needed.
    if (statements.oldCommit.get(range) !== undefined) {
      statements.newestForgotten.run(range)
      statements.commits.run(range)
    }
    from = to
    return to === '' ? 0 : 1
  }
  while ((await slice(next)) > 0);
}

async function prunePresence(statements: Statements['prune'], slice: Slice, before: Instant): Promise<void> {
  let from = { scope: '', member: '' }
  const next = () => {
    const to = statements.presenceSlice.get(from)
    if (to === undefined) return 0
    statements.presence.run({ ...from, toScope: to.scope, toMember: to.member, before })
    from = to
    return 1
  }
  while ((await slice(next)) > 0);
}
