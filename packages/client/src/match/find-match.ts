import type { Lobby as LobbyData } from '../api/types'
import { throwIfAborted, whenAborted } from '../calls/first'
import type { Session } from '../client-session'
import { isMatchyardError, MatchmakingEnded } from '../errors'
import type { FindMatchOptions } from './find-match-options'
import { type Match, readMatch } from './match'
import type { MatchLobby } from './match-lobby'
import { type Search, searchOf } from './search'

/** Calls that begin and cancel a search. */
export interface Way {
  readonly enter: () => Promise<LobbyData>
  /**
   * Cancels the search. Resolves with true if the lobby was still searching. If this function is missing, the search
   * cannot be cancelled.
   */
  readonly cancel?: () => Promise<boolean>
}

/** Searches for a match, and resolves when the match runs. */
export async function findMatch<L extends MatchLobby>(
  lobby: L,
  session: Session,
  options: FindMatchOptions,
  way: Way,
): Promise<Match<L>> {
  const { signal } = options
  throwIfAborted(signal)
  const search = searchOf(lobby, session, options)
  try {
    await begin(lobby, search, way, signal)
    const unhook = whenAborted(signal, () => void callOff(lobby, search, way, signal))
    // The event of the cancelled search may arrive before the answer to the cancellation.
    const failed = (error: unknown) => {
      throwIfAborted(signal)
      throw error
    }
    await search.inGame.catch(failed).finally(unhook)
  } finally {
    search.stop()
  }
  return matchOf(lobby, session)
}

async function begin(lobby: MatchLobby, search: Search, way: Way, signal: AbortSignal | undefined): Promise<void> {
  const isWaiting = lobby.current.status === 'waiting'
  if (!isWaiting || !lobby.isHost) return search.from(lobby.current, !isWaiting)
  try {
    search.from(await way.enter(), true)
  } catch (error) {
    if (signal?.aborted) {
      // The lobby may be in the queue in spite of the error, so the search is cancelled.
      await way.cancel?.()
    } else if (isMatchyardError(error, 'INVALID_LOBBY_STATE')) {
      // The lobby is in the requested state already, because another call was faster or the answer to an earlier try
      // was lost.
      const now = await lobby.refresh()
      if (now.status !== 'waiting') return search.from(now, true)
    }
    throw error
  }
}

/** Cancels the search. The service decides whether the cancellation or a match came first. */
async function callOff(lobby: MatchLobby, search: Search, way: Way, signal: AbortSignal | undefined): Promise<void> {
  try {
    const isOver = !lobby.isHost || way.cancel === undefined || (await way.cancel())
    if (!isOver && ['matched', 'starting', 'in_game'].includes((await lobby.refresh()).status)) return
  } catch {}
  search.fail(signal?.reason)
}

/** Returns the match of the lobby. */
async function matchOf<L extends MatchLobby>(lobby: L, { calls }: Session): Promise<Match<L>> {
  const { match_id: id, last_exit: exit } = lobby.current
  if (id === null) throw new MatchmakingEnded(exit)
  try {
    return await readMatch(lobby, id, calls)
  } catch (error) {
    if (!isMatchyardError(error, 'MATCH_NOT_FOUND', 'INVALID_MATCH_STATE')) throw error
    // The match ended before the player could join.
    throw new MatchmakingEnded((await lobby.refresh()).last_exit, error.detail)
  }
}
