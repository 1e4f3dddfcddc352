import type { Instant } from '@matchyard/core'
import { HOUR_MS } from '@matchyard/core/domain'
import { ARRIVALS_KEPT, ARRIVALS_KEPT_MS, DELIVERIES_KEPT_MS } from '@matchyard/core/ports'
import { forgetChanges } from './changes'
import type { Statements } from './statements/index'

/** Runs one slice in a durable transaction of the group and says how many rows went. */
export type Slice = (run: () => number) => Promise<number>

/** Forgets what the port says, in slices between which other writers have their turn. */
export async function prune({ prune: statements, changes }: Statements, slice: Slice, now: Instant): Promise<void> {
  const hourAgo = now - HOUR_MS
  const untilNone = async (run: () => number) => {
    while ((await slice(run)) > 0);
  }
  await pruneLog(statements, slice, hourAgo)
  await untilNone(() => statements.tombstones.run(hourAgo).changes)
  await untilNone(() => forgetChanges(changes, now))
  await untilNone(() => statements.waits.run(hourAgo).changes)
  await untilNone(() => statements.idempotency.run(now).changes)
  await untilNone(() => statements.cooldowns.run(now).changes)
  await pruneArrivals(statements, slice, now - ARRIVALS_KEPT_MS)
  await untilNone(() => statements.deliveries.run(now - DELIVERIES_KEPT_MS).changes)
  await untilNone(() => statements.messages.run(now - DELIVERIES_KEPT_MS).changes)
  await prunePresence(statements, slice, hourAgo)
  await slice(() => {
    statements.emptyLobbyCounts.run()
    statements.emptyServerCounts.run()
    statements.emptyQueues.run()
    return 0
  })
}

async function pruneArrivals(statements: Statements['prune'], slice: Slice, before: Instant): Promise<void> {
  for (let queue = statements.nextArrivalQueue.get(''); queue; queue = statements.nextArrivalQueue.get(queue)) {
    const key = queue
    while ((await slice(() => statements.arrivals.run(key, before).changes)) > 0);
    const tooMany = () => (statements.arrivalsKept.get(key) ?? 0) - ARRIVALS_KEPT
    for (let over = tooMany(); over > 0; over = tooMany()) {
      if ((await slice(() => statements.arrivalsOver.run({ queue: key, over }).changes)) === 0) break
    }
  }
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
