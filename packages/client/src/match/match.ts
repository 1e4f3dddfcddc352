import type { JoinToken, LobbyExit, Match as MatchData } from '../api/types'
import type { Calls } from '../calls/calls'
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
  /** A sentence for a developer. */
  readonly detail: string
}

/** The player's own place in a match. */
export interface Seat {
  /** The player's id. */
  readonly playerId: string
  /** The team, by its name. */
  readonly team: string
  /** The role in the team; null where the queue has none. */
  readonly role: string | null
}

/** A match that is on; `L` is the lobby that it is played from. */
export class Match<L extends MatchLobby = MatchLobby> {
  /** The match's id. */
  readonly id: string
  /** The lobby that it is played from. */
  readonly lobby: L
  /** The player's own place. */
  readonly me: Seat
  /** Resolves when the match is over for this player, with why. Never rejects. */
  readonly ended: Promise<MatchEnd>
  private data: MatchData

  /** @internal Matches come from `findMatch`, `start` and `play`. */
  constructor(
    lobby: L,
    private readonly calls: Calls,
    data: MatchData,
    private token: JoinToken | undefined,
  ) {
    this.id = data.match_id
    this.lobby = lobby
    this.data = data
    this.me = seatOf(data, lobby.me)
    this.ended = this.end()
  }

  /** The match as it was read last: teams, players, region; see `refresh`. */
  get current(): MatchData {
    return this.data
  }

  /**
   * Where to connect: the server's port of that name, or its first. Follows a server that moves. Throws `NO_ENDPOINT` where the match
   * has no server, or no such port.
   */
  endpoint(name?: string): Endpoint {
    const { server, match_id: id } = this.lobby.current
    const ports = (id === this.id ? server : this.data.server)?.network_ports ?? []
    const port = name === undefined ? ports[0] : ports.find((one) => one.name === name)
    if (port === undefined) {
      const known = ports.map((one) => one.name).join(', ')
      const detail =
        known === '' ? 'the match has no server with ports' : `the server has no port ${name}; it has ${known}`
      throw new MatchyardError('NO_ENDPOINT', { detail })
    }
    const { host, external_port, protocol, tls_enabled: tls } = port
    return { host, port: external_port, protocol, tls, joinToken: this.token?.token ?? '' }
  }

  /** Another join token, for who connects later than five minutes after the match began. `endpoint` has it from then on. */
  async joinToken(): Promise<string> {
    this.token = await this.calls.call<JoinToken>({ method: 'POST', path: `${this.path}/join-token` })
    return this.token.token
  }

  /** Reads the match anew: who has left, and who came in their place. */
  async refresh(): Promise<MatchData> {
    this.data = await this.calls.call<MatchData>({ method: 'GET', path: this.path })
    return this.data
  }

  private get path(): string {
    return `/v1/matches/${this.id}`
  }

  private end(): Promise<MatchEnd> {
    const { lobby, id } = this
    const over = (): MatchEnd | undefined => {
      if (lobby.closed !== undefined) return { reason: 'lobby_closed', detail: `the lobby is over: ${lobby.closed}` }
      const { match_id: now, last_exit: exit } = lobby.current
      if (now === id) return undefined
      // In the next match already: what ended this one was not seen.
      return exit ?? { reason: 'match_ended', detail: 'the lobby is in another match' }
    }
    return new Promise((resolve) => {
      const look = () => {
        const end = over()
        if (end === undefined) return
        for (const stop of stops) stop()
        resolve({ reason: end.reason, detail: end.detail })
      }
      const stops = [lobby.on('change', look), lobby.on('closed', look)]
      look()
    })
  }
}

function seatOf({ teams }: MatchData, playerId: string): Seat {
  for (const { name: team, players } of teams) {
    // Who left and came back stands there twice.
    const seat = players.find((player) => player.player_id === playerId && player.left_at === undefined)
    if (seat !== undefined) return { playerId, team, role: seat.role }
  }
  return { playerId, team: '', role: null }
}
