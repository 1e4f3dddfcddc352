import type { CallOptions } from '../../commit/call-options'
import type { BackfillWish } from '../../match/backfill'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { matchOfSelf } from '../../reads/require-self'
import type { SelfCall } from '../../server/self-call'
import { type Backfill, cancelBackfill, getBackfill, requestBackfill } from './backfill'

export interface SelfBackfillInput extends SelfCall, BackfillWish {}

/**
 * The game server asks for newcomers for its match. Throws VALIDATION_FAILED, MATCH_NOT_FOUND, MATCHMAKING_NOT_CONFIGURED,
 * INVALID_MATCH_STATE, INVALID_SERVER_STATE.
 */
export async function selfBackfill(ctx: Service, input: SelfBackfillInput, call?: CallOptions): Promise<Backfill> {
  const { instanceId: _, attempt: __, ...wish } = input
  return requestBackfill(ctx, { ...wish, ...(await matchOfSelf(ctx, input)) }, call)
}

/** What the game server's match asks for now. Throws MATCH_NOT_FOUND, BACKFILL_NOT_FOUND, INVALID_SERVER_STATE. */
export const selfGetBackfill = async (ctx: Ports, input: SelfCall): Promise<Backfill> =>
  getBackfill(ctx, await matchOfSelf(ctx, input))

/** The game server's match asks for nobody any more. Throws MATCH_NOT_FOUND, BACKFILL_NOT_FOUND, INVALID_SERVER_STATE. */
export const selfCancelBackfill = async (ctx: Service, input: SelfCall, call?: CallOptions): Promise<void> =>
  cancelBackfill(ctx, await matchOfSelf(ctx, input), call)
