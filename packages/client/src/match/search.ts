import type { Lobby, Proposal, QueueExplanation } from '../api/types'
import type { Session } from '../client-session'
import { MatchmakingEnded, unless } from '../errors'
import { EXPLAIN_EVERY_MS, NEVER } from '../times'
import type { FindMatchOptions } from './find-match-options'
import type { MatchLobby } from './match-lobby'

/** Watches the lobby until its match runs, or until the lobby returns to `waiting`. */
export interface Search {
  /** Resolves when the match runs. */
  readonly inGame: Promise<void>
  /** Ends the search with an error. */
  fail(error: unknown): void
  /** Starts to evaluate the versions of the lobby, from the given version on. */
  from(lobby: Lobby, entered: boolean): void
  /** Stops watching. */
  stop(): void
}

export function searchOf(
  lobby: MatchLobby,
  { calls, platform }: Session,
  { onProposal, onWaiting }: FindMatchOptions,
): Search {
  const path = `/v1/lobbies/${lobby.id}`
  let succeed!: () => void
  let fail!: Search['fail']
  let since = NEVER
  let entered = false
  let asked: string | undefined
  let ended = false
  let nextExplanation = (): void => {}

  const inGame = new Promise<void>((resolve, reject) => {
    succeed = resolve
    fail = reject
  })
  // The search may fail before the caller waits for it; this must not become an unhandled rejection.
  inGame.catch(() => {})

  const look = (now: Lobby): void => {
    if (now.version < since) return
    const { last_exit: exit, proposal, status } = now
    if (status === 'in_game') succeed()
    else if (status !== 'waiting') entered = true
    else if (entered && exit !== null && !exit.will_requeue) fail(new MatchmakingEnded(exit))
    if (proposal !== undefined && proposal.match_id !== asked) ask(proposal)
  }

  const ask = (proposal: Proposal): void => {
    asked = proposal.match_id
    const answer = (word: string) => (): Promise<void> =>
      calls
        .call<void>('POST', `${path}/proposal/${word}`, { match_id: proposal.match_id })
        .catch(unless('NO_PROPOSAL', 'PROPOSAL_CHANGED', 'INVALID_LOBBY_STATE'))
    const given = { ...proposal, accept: answer('accept'), decline: answer('decline') }
    // An exception in the handler makes the search fail. An answer that cannot be sent makes it fail too.
    new Promise((resolve) => resolve(onProposal?.(given))).catch(fail)
  }

  /** Reports repeatedly why the lobby still waits, until the search ends. */
  const explain = async (): Promise<void> => {
    try {
      if (lobby.current.status === 'in_queue') {
        const why = await calls.call<QueueExplanation>('GET', `${path}/queue`)
        if (!ended) onWaiting?.(why)
      }
    } catch {}
    if (!ended) nextExplanation = platform.after(EXPLAIN_EVERY_MS, explain)
  }

  const gone = (error?: unknown): void => fail(error ?? new MatchmakingEnded(null))
  const stops = [lobby.on('change', look), lobby.on('closed', (_, error) => gone(error))]
  if (lobby.closed !== undefined) gone()

  return {
    inGame,
    fail,
    from(now, hasEntered) {
      since = now.version
      entered = hasEntered
      look(lobby.current)
      if (onWaiting !== undefined) void explain()
    },
    stop() {
      ended = true
      nextExplanation()
      for (const stop of stops) stop()
    },
  }
}
