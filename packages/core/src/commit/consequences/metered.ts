import { usageSumsOf } from '../../billing/usage-sums'
import type { ServerEvent } from '../../server/events'
import type { GameServer } from '../../server/game-server'
import type { Consequence } from './register'

/**
 * The seconds of a server that ends, and of an attempt of it that came to nothing, are added to what its account is metered for, in the
 * commit that says so.
 */
export const metered: Consequence<GameServer, ServerEvent> = {
  after: ['server_attempt_failed', 'server_stopped', 'server_failed'],
  async run(ctx, draft, { before, events, after }) {
    const { runningAt, stoppedAt } = after
    const intervals = events.flatMap((event) => ('ran' in event && event.ran !== undefined ? [event.ran] : []))
    if (before.stoppedAt === null && stoppedAt !== null && runningAt !== null)
      intervals.push({ from: runningAt, to: stoppedAt })
    if (intervals.length === 0) return
    // Read after the instant of the decision is fixed: a change of plan that is not in it begins later than the last second.
    const account = await ctx.storage.get('account', after.accountId)
    const history = account?.planHistory ?? []
    draft.usage(...intervals.flatMap((interval) => usageSumsOf(after, interval, history)))
  },
}
