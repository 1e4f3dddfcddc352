import type { CallOptions } from '../../commit/call-options'
import { unavailableInsteadOf } from '../../commit/transact'
import type { Service } from '../../node/service'
import { matchOfSelf } from '../../reads/require-self'
import type { SelfCall } from '../../server/self-call'
import { freeSeat, keepSeat, type SeatOfPlayer, type SeatWish } from './keep-seat'

export interface SelfKeepSeatInput extends SelfCall, SeatWish {}

export async function selfKeepSeat(ctx: Service, input: SelfKeepSeatInput, call?: CallOptions): Promise<SeatOfPlayer> {
  const { instanceId: _, attempt: __, ...wish } = input
  const target = await unavailableInsteadOf(() => matchOfSelf(ctx, input))
  return keepSeat(ctx, { ...wish, ...target, backend: true }, call)
}

/** Kept seat that the game server of a match gives up. */
export interface SelfFreeSeatInput extends SelfCall {
  /** Player for whom the seat is kept. */
  readonly targetPlayerId: string
}

export async function selfFreeSeat(ctx: Service, input: SelfFreeSeatInput, call?: CallOptions): Promise<void> {
  const target = await unavailableInsteadOf(() => matchOfSelf(ctx, input))
  await freeSeat(ctx, { ...target, targetPlayerId: input.targetPlayerId, backend: true }, call)
}
