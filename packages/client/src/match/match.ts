import type { JoinToken, LobbyExit, Match as MatchData } from '../api/types'
import type { Calls } from '../calls/calls'
import { first } from '../calls/first'
import { MatchyardError } from '../errors'
import type { MatchLobby } from './match-lobby'

/** Where a match is played, and what lets the player in. */
export interface Endpoint {
  /** A name or an address. */
  readonly host: string
  readonly port: number
  readonly protocol: 'udp' | 'tcp'
  /** Whether the game server speaks TLS on it. */
  readonly tls: boolean
  /** Shown to the game server, which lets in by it; good for five minutes. See `match.joinToken()` for a later one. */
  readonly joinToken: string
}

/** Why a match is over: the lobby's `last_exit`, or `lobby_closed` where the player is not in the lobby any more. */
export interface MatchEnd {
  readonly reason: LobbyExit['reason'] | 'lobby_closed'
  /** Explanation for a developer. */
  readonly detail: string
}

/** The player's own place in a match. */
export interface Seat {
  /** The player's id. */
  readonly playerId: string
  /** The team, by its name. */
  readonly team: string
  /** Role in the team; null when the queue has no roles. */
  readonly role: string | null
}

/** A match that is on; `L` is the lobby that it is played from. */
export interface Match<L extends MatchLobby = MatchLobby> {
  /** The match's id. */
  readonly id: string
  /** The lobby that it is played from. */
  readonly lobby: L
  /** The player's own place. */
  readonly me: Seat
  /** Resolves when the match is over for this player, with why. Never rejects. */
  readonly ended: Promise<MatchEnd>
  /** The match as it was read last: teams, players, region; see `refresh`. */
  readonly current: MatchData
  /**
   * Where to connect: the server's port of that name, or its first. Follows a server that moves. Throws `NO_ENDPOINT` where the match
   * has no server, or no such port.
   */
  endpoint(name?: string): Endpoint
  /** Another join token, for who connects later than five minutes after the match began. `endpoint` has it from then on. */
  joinToken(): Promise<string>
  /** Reads the match again, with departed and new players. */
  refresh(): Promise<MatchData>
}

/** Reads the match of an id, with the connection data for its player where it has a server. */
export async function readMatch<L extends MatchLobby>(lobby: L, id: string, { call }: Calls): Promise<Match<L>> {
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

  const [read] = await Promise.all([refresh(), lobby.current.server === null ? undefined : joinToken()])
  return {
    id,
    lobby,
    me: seatOf(read, lobby.me),
    ended: endOf(lobby, id),
    get current() {
      return current
    },
    endpoint(name) {
      const { server, match_id: now } = lobby.current
      const ports = (now === id ? server : current.server)?.network_ports ?? []
      const port = name === undefined ? ports[0] : ports.find((one) => one.name === name)
      if (port === undefined) {
        const known = ports.map((one) => one.name).join(', ')
        throw new MatchyardError('NO_ENDPOINT', { detail: `the match has no port ${name ?? ''} (it has: ${known})` })
      }
      const { host, external_port, protocol, tls_enabled: tls } = port
      return { host, port: external_port, protocol, tls, joinToken: token ?? '' }
    },
    joinToken,
    refresh,
  }
}

async function endOf(lobby: MatchLobby, id: string): Promise<MatchEnd> {
  let end: MatchEnd | undefined
  const look = (done: () => void) => (): void => {
    const { closed, current } = lobby
    if (closed === undefined && current.match_id === id) return
    end ??= closed
      ? { reason: 'lobby_closed', detail: `the lobby is over: ${closed}` }
      : // In the next match already: what ended this one was not seen.
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
    // A player who left and came back is listed twice.
    const seat = players.find((player) => player.player_id === playerId && player.left_at === undefined)
    if (seat !== undefined) return { playerId, team, role: seat.role }
  }
  return { playerId, team: '', role: null }
}
