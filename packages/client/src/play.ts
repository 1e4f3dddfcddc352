import type { FoundPlayer, JsonObject, Lobby as LobbyData } from './api/types'
import type { Calls } from './calls/calls'
import { first, throwIfAborted, whenAborted } from './calls/first'
import { isMatchyardError, unless } from './errors'
import type { CreateLobby, Lobbies } from './lobby/lobbies'
import type { Lobby } from './lobby/lobby'
import type { FindMatchOptions } from './match/find-match-options'
import type { Match } from './match/match'
import type { Latencies } from './regions/latencies'
import type { MeasureOptions } from './regions/measure-regions'

/** Fields of the lobby with which `play` searches, and how `play` treats another match of the player. */
export interface PlayLobby extends Omit<CreateLobby, 'queueId'> {
  /**
   * Whether the player leaves the match that keeps the player out of another match; false by default. Only a match that
   * was made is left: a proposed match of another lobby only delays the search.
   */
  readonly leaveOther?: boolean | undefined
  /**
   * Whether the latencies to the regions are measured and put into the player's state, for the queue's `latency` rule;
   * false by default. A measurement counts for five minutes. A state that has the field already stays as it is.
   */
  readonly measure?: boolean | MeasuredState | undefined
}

/** Field of the player's state that gets measured latencies. */
export interface MeasuredState extends MeasureOptions {
  /** Name of the field, as the queue's `latency` rule names it; `pings` by default. */
  readonly field?: string | undefined
}

/** Calls of a client that bring its player into a match. */
export interface Plays {
  /**
   * Finds a match in one call: creates a private lobby of this player in the queue, and starts a search. While this
   * client searches or plays in the queue, a repeated call resolves with the same match; of its options only `signal`
   * counts. After a failure the player leaves the lobby. The promise then rejects with the error that `lobbies.create`
   * or `lobby.findMatch` would give. If the player is in another match, the error is `PLAYER_IN_MATCH` with `matchId`;
   * `resume` returns to that match, and `leaveOther` leaves it.
   */
  play(queueId: string, lobby?: PlayLobby, options?: FindMatchOptions): Promise<Match<Lobby>>
  /**
   * Returns to the live match of the player, for example after a reload. Waits until the match runs. Resolves with
   * undefined if the player is in no match that counts (queues with `concurrent_matches` make matches that do not).
   */
  resume(options?: Pick<FindMatchOptions, 'signal'>): Promise<Match<Lobby> | undefined>
}

/** A search that `play` began, until it ends. */
interface Search {
  readonly match: Promise<Match<Lobby>>
  /** Aborts the search; each caller's signal does so. */
  readonly abort: AbortController
}

/** Returns `play` and `resume` of a client; `open` has the lobbies that the client follows. */
export function playsOf(
  { call }: Calls,
  lobbies: Lobbies,
  open: ReadonlyMap<string, Lobby>,
  follow: (lobby: LobbyData) => Promise<Lobby>,
  latencies: (options: MeasureOptions) => Promise<Latencies>,
): Plays {
  const searches = new Map<string, Search>()
  const followed = (is: (lobby: LobbyData) => boolean) => [...open.values()].find(({ current }) => is(current))

  const leave = async (matchId: string | undefined): Promise<void> => {
    const lobby = followed(({ match_id }) => match_id === matchId)
    // A lobby that this client follows is left by its handle, so that the handle reports `left`.
    if (lobby !== undefined) return lobby.leave()
    await call('POST', '/v1/players/me/leave-match').catch(unless('MATCH_NOT_FOUND'))
  }

  /** Returns the player's state with the measured latencies. */
  const measured = async (
    state: JsonObject | undefined,
    measure: PlayLobby['measure'],
    signal: AbortSignal | undefined,
  ): Promise<JsonObject | undefined> => {
    if (!measure) return state
    const { field = 'pings', ...options } = measure === true ? {} : measure
    if (state?.[field] !== undefined) return state
    const measurement = latencies(options)
    await first(
      (done) => {
        measurement.then(done, done)
        return () => {}
      },
      (done) => whenAborted(signal, done),
    )
    throwIfAborted(signal)
    const found = await measurement
    // A rule treats an empty map as unreachable regions, and an absent field as a player without latencies.
    return Object.keys(found).length === 0 ? state : { ...state, [field]: { ...found } }
  }

  const search = async (
    queueId: string,
    { leaveOther, measure, ...fields }: PlayLobby,
    options: FindMatchOptions,
  ): Promise<Match<Lobby>> => {
    const busy = followed(({ queue_id, status }) => queue_id === queueId && status !== 'waiting')
    if (busy !== undefined) return busy.findMatch(options)
    const state = await measured(fields.state, measure, options.signal)
    const mine = await lobbies.create({ isPrivate: true, ...fields, state, queueId })
    try {
      return await mine.findMatch(options).catch(async (error) => {
        if (!leaveOther || !isMatchyardError(error, 'PLAYER_IN_MATCH')) throw error
        await leave(error.matchId)
        return mine.findMatch(options)
      })
    } catch (error) {
      // No code waits for the result. If the call fails, the service removes the silent player and ends the empty
      // lobby.
      void mine.leave().catch(mine.close)
      throw error
    }
  }

  return {
    async play(queueId, fields = {}, options = {}) {
      const { signal } = options
      throwIfAborted(signal)
      let current = searches.get(queueId)
      if (current === undefined || current.abort.signal.aborted) {
        const abort = new AbortController()
        const begin = () => search(queueId, fields, { ...options, signal: abort.signal })
        // A search that is being aborted may still find a match, which is then the match of this call too.
        const begun: Search = { match: current?.match.catch(begin) ?? begin(), abort }
        current = begun
        searches.set(queueId, begun)
        const forget = () => searches.get(queueId) === begun && searches.delete(queueId)
        begun.match.then(forget, forget)
      }
      const { match, abort } = current
      const unhook = whenAborted(signal, () => abort.abort(signal?.reason))
      match.then(unhook, unhook)
      return match
    },
    async resume(options) {
      const { live_match: live } = await call<FoundPlayer>('GET', '/v1/players/me', undefined, options)
      if (live === null) return
      const known = open.get(live.lobby_id)
      // The known version of a followed lobby may be older than the match.
      await known?.refresh()
      const lobby = known ?? (await follow(await call('GET', `/v1/lobbies/${live.lobby_id}`, undefined, options)))
      // In a lobby that waits again, `findMatch` would begin a search.
      return lobby.current.status === 'waiting' ? undefined : lobby.findMatch(options)
    },
  }
}
