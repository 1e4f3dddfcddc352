import { usageSumsOf } from '../../billing/usage-sums'
import type { Context } from '../../context/context'
import type { ServerEvent } from '../../server/events'
import type { GameServer } from '../../server/game-server'
import type { Changed } from '../aggregate'
import type { Draft } from '../draft'

/** The seconds of a server that ends are added to what its account is metered for, in the commit that ends it. */
export async function addMetered(
  ctx: Context,
  draft: Draft,
  { before, after }: Changed<GameServer, ServerEvent>,
): Promise<void> {
  if (before.stoppedAt !== null || after.stoppedAt === null || after.runningAt === null) return
  // Read after the instant of the decision is fixed: a change of plan that is not in it begins later than the last second.
  const account = await ctx.storage.get('account', after.accountId)
  draft.usage(...usageSumsOf(after, { from: after.runningAt, to: after.stoppedAt }, account?.planHistory ?? []))
}
