import type { CallOptions, Context } from '../../context/context'
import type { SelfCall } from '../../context/inputs'
import { matchOfSelf } from '../../context/require-self'
import type { BackfillWish } from '../../match/backfill'
import { type Backfill, cancelBackfill, getBackfill, requestBackfill } from './backfill'

export interface SelfBackfillInput extends SelfCall, BackfillWish {}

/**
 * The game server asks for newcomers for its match. Throws VALIDATION_FAILED, MATCH_NOT_FOUND, MATCHMAKING_NOT_CONFIGURED,
 * INVALID_MATCH_STATE, INVALID_SERVER_STATE.
 */
export async function selfBackfill(ctx: Context, input: SelfBackfillInput, call?: CallOptions): Promise<Backfill> {
  const { instanceId: _, attempt: __, ...wish } = input
  return requestBackfill(ctx, { ...wish, ...(await matchOfSelf(ctx, input)) }, call)
}

/** What the game server's match asks for now. Throws MATCH_NOT_FOUND, BACKFILL_NOT_FOUND, INVALID_SERVER_STATE. */
export const selfGetBackfill = async (ctx: Context, input: SelfCall): Promise<Backfill> =>
  getBackfill(ctx, await matchOfSelf(ctx, input))

/** The game server's match asks for nobody any more. Throws MATCH_NOT_FOUND, BACKFILL_NOT_FOUND, INVALID_SERVER_STATE. */
export const selfCancelBackfill = async (ctx: Context, input: SelfCall, call?: CallOptions): Promise<void> =>
  cancelBackfill(ctx, await matchOfSelf(ctx, input), call)
