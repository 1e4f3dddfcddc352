import type { Lobby } from '@matchyard/core'
import { MAX_REQUEUES, proposalOf } from '@matchyard/core/domain'
import type { Invariant } from './invariant'
import type { History } from './snapshot'

/** An entry of a lobby into a queue that the service made, and the search before it. */
interface Return {
  readonly lobbyId: string
  readonly enteredAt: number
  /** Time at which the lobby entered the queue before its match failed; undefined when no failure came before. */
  readonly before: number | undefined
  /** Number of returns in a row, including this one. */
  readonly inARow: number
}

const enteredAtOf = (lobby: Lobby): number | undefined => lobby.ticket?.enteredAt ?? proposalOf(lobby)?.enteredAt

/** Returns the returns of all lobbies. A host enters a queue with the present time; only the service enters with an earlier time. */
function returnsIn(history: History): Return[] {
  return [...history.values()].flatMap((events) => {
    let inARow = 0
    let searched: number | undefined
    let failed: number | undefined
    return events.flatMap(({ lobby, at }, index) => {
      const before = events[index - 1]?.lobby
      const enteredAt = enteredAtOf(lobby)
      if (lobby.status === 'matched' && before !== undefined) searched = enteredAtOf(before) ?? searched
      if (lobby.status === 'in_game') inARow = 0
      if (lobby.status === 'waiting' && before?.status === 'matched') failed = searched
      if (before?.status !== 'waiting' || enteredAt === undefined) return []
      const isReturn = enteredAt < at
      inARow = isReturn ? inARow + 1 : 0
      const found = { lobbyId: lobby.id, enteredAt, before: failed, inARow }
      failed = undefined
      return isReturn ? [found] : []
    })
  })
}

/**
 * Invariant: a lobby that the service puts back into its queue after a failed launch has the age that it had in the
 * search before.
 */
export const nobodyLosesAgeToAFailedLaunch: Invariant = ({ history }) =>
  returnsIn(history).flatMap(({ lobbyId, enteredAt, before }) => {
    if (before === undefined) return [`${lobbyId} was put back without a failed launch`]
    return before === enteredAt ? [] : [`${lobbyId} entered at ${before}, and was put back as of ${enteredAt}`]
  })

/** Invariant: a lobby is put back at most three times in a row, without a match that ran or a new search between them. */
export const nobodyIsPutBackTooOften: Invariant = ({ history }) =>
  returnsIn(history).flatMap(({ lobbyId, inARow }) =>
    inARow > MAX_REQUEUES ? [`${lobbyId} was put back ${inARow} times in a row`] : [],
  )
