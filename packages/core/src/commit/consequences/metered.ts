import { usageSumsOf } from '../../billing/usage-sums'
import type { ServerEvent } from '../../server/events'
import type { GameServer } from '../../server/game-server'
import { costCells } from '../cost-cells'
import type { Consequence } from './register'

/**
 * Adds the running seconds of an ended server, and of a failed attempt, to the usage of the account, and their cost to the history, in the
 * same commit.
 */
export const metered: Consequence<GameServer, ServerEvent> = {
  after: ['server_attempt_failed', 'server_stopped', 'server_failed'],
  async run(ctx, draft, { before, events, after }) {
    const { runningAt, stoppedAt } = after
    const intervals = events.flatMap((event) => ('ran' in event && event.ran !== undefined ? [event.ran] : []))
    if (before.stoppedAt === null && stoppedAt !== null && runningAt !== null)
      intervals.push({ from: runningAt, to: stoppedAt })
    if (intervals.length === 0) return
    // The account is read after the instant of the decision is fixed. If this read misses a change of the plan, the change begins after the
    // last metered second.
    const account = await ctx.storage.get('account', after.accountId)
    const history = account?.planHistory ?? []
    const sums = intervals.flatMap((interval) => usageSumsOf(after, interval, history))
    draft.usage(...sums).history(...costCells(sums, history, ctx.settings.prices, after.queueId ?? '', draft.at))
  },
}
