import type { JsonObject, Lobby as LobbyData, Page, Region } from '../api/types'
import type { Calls } from '../calls/calls'
import type { Lobby } from './lobby'

/** Fields of a lobby to create. */
export interface CreateLobby {
  /** Queue of the lobby. */
  readonly queueId: string
  /** State of the player: values that the queue's rules use, and other data of the game. */
  readonly state?: JsonObject | undefined
  /** Settings of the lobby: map, mode, difficulty and so on. */
  readonly settings?: JsonObject | undefined
  /** Name of the lobby in lists. */
  readonly name?: string | undefined
  /** Region of a match that is started without matchmaking. */
  readonly region?: Region | undefined
  /** Whether the lobby is private: lists leave it out, and players join it only by invite code. */
  readonly isPrivate?: boolean | undefined
  /** Maximum number of players; the queue's maximum by default. */
  readonly maxPlayers?: number | undefined
}

/** The lobby to join: by its invite code or, if the lobby is public, by its id. */
export type JoinLobby = ({ readonly code: string } | { readonly lobbyId: string }) & {
  /** State of the player. */
  readonly state?: JsonObject | undefined
}

/** Options of a quick join. */
export interface QuickJoin {
  /** Queue whose lobbies are searched. */
  readonly queueId: string
  /** Settings that the lobby must have; at most four. */
  readonly filter?: Readonly<Record<string, string | number | boolean | null>> | undefined
  /** State of the player. */
  readonly state?: JsonObject | undefined
  /** Whether a lobby is created when no open lobby matches; true by default. */
  readonly create?: boolean | undefined
}

/** Filter and order of listed lobbies. */
export interface BrowseLobbies {
  /** Only lobbies of this queue. */
  readonly queueId?: string | undefined
  /** Only lobbies in this status. Players can join lobbies in `waiting`. */
  readonly status?: LobbyData['status'] | undefined
  /** Only lobbies that requested this region. */
  readonly region?: Region | undefined
  /** Only lobbies with these settings; at most four. */
  readonly settings?: Readonly<Record<string, string | number | boolean | null>> | undefined
  /** Whether waiting lobbies whose host is absent are listed too; false by default. */
  readonly includeAbsent?: boolean | undefined
  /** Order of the lobbies; newest first by default. */
  readonly sort?: 'created_at_desc' | 'created_at_asc' | 'player_count_desc' | undefined
}

/** Creates, joins and finds lobbies. */
export interface Lobbies {
  /**
   * Creates a lobby with the player as the host. Rejects with `QUEUE_NOT_FOUND`, `QUEUE_DISABLED`,
   * `PLAN_LIMIT_EXCEEDED`, `VALIDATION_FAILED`.
   */
  create(lobby: CreateLobby): Promise<Lobby>
  /**
   * Joins a lobby by invite code or id. A player who is a member already gets the lobby. Rejects with
   * `INVALID_INVITE_CODE`, `LOBBY_NOT_FOUND`, `LOBBY_FULL`, `LOBBY_NOT_ACCEPTING`.
   */
  join(which: JoinLobby): Promise<Lobby>
  /**
   * Joins the fullest open lobby that matches the options, or creates a lobby. Rejects with `LOBBY_NOT_FOUND` when no
   * lobby matches and `create` is false.
   */
  quickJoin(seat: QuickJoin): Promise<Lobby>
  /**
   * Returns the player's lobby after a reload or a crash: the lobby that `storage` remembers, or otherwise the newest
   * lobby of the player. Returns undefined if the player is in no lobby.
   */
  resume(): Promise<Lobby | undefined>
  /** Yields each public lobby once. Reads the next page only when the caller needs it. */
  browse(which?: BrowseLobbies): AsyncGenerator<LobbyData, void, undefined>
}

const PAGE = 50

export function lobbiesOf(
  { call }: Calls,
  follow: (lobby: LobbyData) => Promise<Lobby>,
  remembered: () => Promise<string | null | undefined>,
): Lobbies {
  const enter = async (path: string, body: object): Promise<Lobby> =>
    follow(await call<LobbyData>('POST', `/v1/lobbies${path}`, body))

  return {
    create: ({ queueId, isPrivate, maxPlayers, ...same }) =>
      enter('', { ...same, queue_id: queueId, is_private: isPrivate, max_players: maxPlayers }),
    join: ({ state, ...which }) =>
      'code' in which
        ? enter('/join', { invite_code: which.code, state })
        : enter(`/${encodeURIComponent(which.lobbyId)}/join`, { state }),
    quickJoin: ({ queueId, ...same }) => enter('/quick-join', { ...same, queue_id: queueId }),
    async resume() {
      const { data } = await call<Page<LobbyData>>('GET', '/v1/players/me/lobbies')
      const id = await remembered()
      const found = data.find(({ lobby_id }) => lobby_id === id) ?? data[0]
      return found && follow(found)
    },
    async *browse({ queueId, settings, includeAbsent, ...same } = {}) {
      const query = new URLSearchParams({ limit: `${PAGE}` })
      const filters = { ...same, queue_id: queueId, include_absent: includeAbsent && 'true' }
      for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value)
      // Values are quoted, so that a string that looks like a number stays a string.
      for (const [name, value] of Object.entries({ ...settings })) query.set(`settings[${name}]`, JSON.stringify(value))
      const seen = new Set<string>()
      for (let offset = 0, more = true; more; ) {
        query.set('offset', `${offset}`)
        const page = await call<Page<LobbyData>>('GET', `/v1/lobbies?${query}`)
        for (const lobby of page.data) {
          // A lobby that is created between two reads moves other lobbies to the next page, so a lobby may be read
          // twice.
          if (!seen.has(lobby.lobby_id)) yield lobby
          seen.add(lobby.lobby_id)
        }
        // A page may be short or empty before the end, because of the limit of bytes and of lobbies without a host.
        const next = page.offset + page.data.length
        more = page.has_more && next > offset
        offset = next
      }
    },
  }
}
