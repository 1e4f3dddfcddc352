import type { CallOptions } from '../../commit/call-options'
import type { BackfillWish } from '../../match/backfill'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { matchOfSelf } from '../../reads/require-self'
import type { SelfCall } from '../../server/self-call'
import { type Backfill, cancelBackfill, getBackfill, requestBackfill } from './backfill'

export interface SelfBackfillInput extends SelfCall, BackfillWish {}

export async function selfBackfill(ctx: Service, input: SelfBackfillInput, call?: CallOptions): Promise<Backfill> {
  const { instanceId: _, attempt: __, ...wish } = input
  return requestBackfill(ctx, { ...wish, ...(await matchOfSelf(ctx, input)) }, call)
}

export const selfGetBackfill = async (ctx: Ports, input: SelfCall): Promise<Backfill> =>
  getBackfill(ctx, await matchOfSelf(ctx, input))

export const selfCancelBackfill = async (ctx: Service, input: SelfCall, call?: CallOptions): Promise<void> =>
  cancelBackfill(ctx, await matchOfSelf(ctx, input), call)
