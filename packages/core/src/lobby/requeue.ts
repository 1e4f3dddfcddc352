import { accept, type Decision } from '../errors/decision'
import type { Instant } from '../shared/time'
import { traceOf } from '../shared/trace'
import { type CarriedByStay, carriedOf } from './carried'
import type { LobbyEvent } from './events'
import { canMove } from './evolve'
import type { KeptStay, Lobby } from './lobby'

/** Returns the stay to which the service must return the lobby after a failed launch; undefined when no return is pending. */
export const pendingStay = (lobby: Lobby): KeptStay | undefined =>
  canMove(lobby, 'enqueue') ? lobby.keptStay : undefined

interface Return extends Pick<CarriedByStay, 'recent'> {
  readonly ticketId: string
  readonly at: Instant
}

/**
 * Puts a lobby back into its queue after a failed launch, with the age and the deadline that it had. When the deadline has passed, the lobby
 * stays in `waiting` with the reason `timeout`. A lobby without a pending return is not changed.
 */
export function putBack(lobby: Lobby, { ticketId, at, recent }: Return): Decision<LobbyEvent> {
  const stay = pendingStay(lobby)
  if (stay === undefined) return accept()
  const { enteredAt, expiresAt, requeues } = stay
  const entered: LobbyEvent = {
    type: 'queue_entered',
    ...{
      ticketId,
      at: enteredAt,
      expiresAt,
      requeues,
      ...traceOf(stay),
      ...carriedOf({ ...stay, ...(recent && { recent }) }),
    },
  }
  return expiresAt > at ? accept(entered) : accept<LobbyEvent>(entered, { type: 'queue_left', reason: 'timeout' })
}

/** Gives up a pending return. The failure of the launch stands. */
export const giveUpReturn = (lobby: Lobby): Decision<LobbyEvent> =>
  pendingStay(lobby) === undefined ? accept() : accept({ type: 'requeue_given_up' })
