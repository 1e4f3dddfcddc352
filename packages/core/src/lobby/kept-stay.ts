import { MAX_REQUEUES } from '../catalog/limits'
import { traceOf } from '../shared/trace'
import type { KeptStay, Lobby } from './lobby'

/** Returns the number of times that a lobby was put back, as a field of its ticket or proposal; no field for none. */
export const requeuesOf = ({ requeues = 0 }: { readonly requeues?: number }): { readonly requeues?: number } =>
  requeues === 0 ? {} : { requeues }

/** Returns the lobby with its present stay in the queue as the kept stay. The lobby is about to leave the queue for a match. */
export function keepingStay(lobby: Lobby): Lobby {
  const { ticket, proposal } = lobby
  const stay = ticket ?? proposal
  const expiresAt = ticket === null ? proposal?.ticketExpiresAt : ticket.expiresAt
  if (stay === undefined || expiresAt === undefined) return lobby
  const keptStay: KeptStay = {
    enteredAt: stay.enteredAt,
    expiresAt,
    requeues: stay.requeues ?? 0,
    ...traceOf(stay),
    ...(stay.vouched === undefined ? {} : { vouched: stay.vouched }),
  }
  return { ...lobby, keptStay }
}

/** Returns the lobby without a kept stay: its match runs, or the service does not put the lobby back. */
export function withoutStay(lobby: Lobby): Lobby {
  if (lobby.keptStay === undefined) return lobby
  const { keptStay: _, lastExit, ...rest } = lobby
  if (lastExit == null) return { ...rest, lastExit: null }
  const { willRequeue: __, ...exit } = lastExit
  return { ...rest, lastExit: exit }
}

/** Returns the lobby with one more time for which the service puts it back. */
export const countingRequeue = (lobby: Lobby): Lobby =>
  lobby.keptStay === undefined
    ? lobby
    : { ...lobby, keptStay: { ...lobby.keptStay, requeues: lobby.keptStay.requeues + 1 } }

/** Whether the service may put the lobby back once more after a failed launch. */
export const canBePutBack = ({ keptStay }: Lobby): boolean => keptStay !== undefined && keptStay.requeues < MAX_REQUEUES
