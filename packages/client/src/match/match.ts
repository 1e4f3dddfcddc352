import type { JoinToken, KeptSeat, LobbyExit, Match as MatchData } from '../api/types'
import type { Calls } from '../calls/calls'
import { first } from '../calls/first'
import { MatchyardError } from '../errors'
import type { MatchLobby } from './match-lobby'

/** Address of a match's server, with the player's join token. */
export interface Endpoint {
  /** Host name or address. */
  readonly host: string
  readonly port: number
  readonly protocol: 'udp' | 'tcp' | 'tcp+udp'
  /** Whether the port uses TLS. */
  readonly tls: boolean
  /** Token that the game server checks; valid for five minutes. `match.joinToken()` fetches a new one. */
  readonly joinToken: string
}

/**
 * Reason why a match ended for a player: the lobby's `last_exit`, or `lobby_closed` when the player is no longer in the
 * lobby.
 */
export interface MatchEnd {
  readonly reason: LobbyExit['reason'] | 'lobby_closed'
  /** Explanation for a developer. */
  readonly detail: string
}

/** The player's team and role in a match. */
export interface Seat {
  /** Id of the player. */
  readonly playerId: string
  /** Name of the team. */
  readonly team: string
  /** Role of the player in the team; null when the queue has no roles. */
  readonly role: string | null
}

/** Options of a seat for a friend. */
export interface KeepSeatOptions {
  /** Team of the seat. Default: the player's own team, or the team with the most open seats. */
  readonly team?: string | undefined
  /** Seconds for which the seat is kept, 5 to 120. Default: 30. */
  readonly hold?: number | undefined
}

/** A running match; `L` is the type of its lobby. */
export interface Match<L extends MatchLobby = MatchLobby> {
  /** Id of the match. */
  readonly id: string
  /** Lobby of the match. */
  readonly lobby: L
  /** Seat of the player. */
  readonly me: Seat
  /** Resolves with the reason when the match ends for this player. Never rejects. */
  readonly ended: Promise<MatchEnd>
  /** State of the match when it was last read: teams, players, region. `refresh` reads it again. */
  readonly current: MatchData
  /**
   * Returns the address to connect to: the server's port with that name, or its first port. The address changes when
   * the server moves. Throws `NO_ENDPOINT` when the match has no server or no such port.
   */
  endpoint(name?: string): Endpoint
  /**
   * Fetches another join token, for a player who connects more than five minutes after the match began. Afterwards
   * `endpoint` returns the new token.
   */
  joinToken(): Promise<string>
  /**
   * Keeps an open seat for a friend, who joins with `lobby.joinMatch` before the seat expires. A player keeps at most
   * one seat; a second call replaces it. The queue must allow this (`matchmaking.late_join`). Rejects with
   * `MATCH_FULL`, `PLAYER_IN_MATCH`, `INVALID_MATCH_STATE`.
   */
  keepSeat(playerId: string, options?: KeepSeatOptions): Promise<KeptSeat>
  /** Gives back the seat that is kept for a player. Rejects with `SEAT_NOT_FOUND` when no seat is kept (any more). */
  freeSeat(playerId: string): Promise<void>
  /** Reads the match again, so that it shows players who joined or left. */
  refresh(): Promise<MatchData>
}

/** Last match of each lobby, so that later calls return the same object. */
const known = new WeakMap<MatchLobby, { readonly match: Match; readonly read: () => Promise<unknown> }>()

/**
 * Reads a match by its id. If the match has a server, the result has the data with which the lobby's player connects.
 * A match that was read before is the same object, with a new join token.
 */
export async function readMatch<L extends MatchLobby>(lobby: L, id: string, { call }: Calls): Promise<Match<L>> {
  const before = known.get(lobby)
  if (before?.match.id === id) {
    await before.read()
    return before.match as Match<L>
  }
  const path = `/v1/matches/${id}`
  let current: MatchData
  let token: string | undefined

  const refresh = async (): Promise<MatchData> => {
    current = await call<MatchData>('GET', path)
    return current
  }
  const joinToken = async (): Promise<string> => {
    token = (await call<JoinToken>('POST', `${path}/join-token`)).token
    return token
  }

  const read = () => Promise.all([refresh(), lobby.current.server === null ? undefined : joinToken()])
  const [now] = await read()
  const match: Match<L> = {
    id,
    lobby,
    me: seatOf(now, lobby.me),
    ended: endOf(lobby, id),
    get current() {
      return current
    },
    endpoint(name) {
      const { server, match_id: present } = lobby.current
      const ports = (present === id ? server : current.server)?.network_ports ?? []
      const port = name === undefined ? ports[0] : ports.find((one) => one.name === name)
      if (port === undefined) {
        const known = ports.map((one) => one.name).join(', ')
        throw new MatchyardError('NO_ENDPOINT', { detail: `the match has no port ${name ?? ''} (it has: ${known})` })
      }
      const { host, external_port, protocol, tls_enabled: tls } = port
      return { host, port: external_port, protocol, tls, joinToken: token ?? '' }
    },
    joinToken,
    keepSeat: (playerId, { team, hold } = {}) =>
      call<KeptSeat>('POST', `${path}/seats`, { player_id: playerId, team, hold }),
    freeSeat: (playerId) => call<void>('DELETE', `${path}/seats/${encodeURIComponent(playerId)}`),
    refresh,
  }
  known.set(lobby, { match, read })
  return match
}

async function endOf(lobby: MatchLobby, id: string): Promise<MatchEnd> {
  let end: MatchEnd | undefined
  const look = (done: () => void) => (): void => {
    const { closed, current } = lobby
    if (closed === undefined && current.match_id === id) return
    end ??= closed
      ? { reason: 'lobby_closed', detail: `the lobby is over: ${closed}` }
      : // The lobby is already in its next match, so the client did not see how this match ended.
        (current.last_exit ?? { reason: 'match_ended', detail: 'the lobby is in another match' })
    done()
  }
  await first(
    (done) => lobby.on('change', look(done)),
    (done) => lobby.on('closed', look(done)),
    (done) => {
      look(done)()
      return () => {}
    },
  )
  const { reason, detail } = end as unknown as MatchEnd
  return { reason, detail }
}

function seatOf({ teams }: MatchData, playerId: string): Seat {
  for (const { name: team, players } of teams) {
    // A player who left the match and joined again is listed twice. Only the entry without `left_at` counts.
    const seat = players.find((player) => player.player_id === playerId && player.left_at === undefined)
    if (seat !== undefined) return { playerId, team, role: seat.role }
  }
  return { playerId, team: '', role: null }
}
