import type { JsonObject, Lobby as LobbyData, Page, Region } from '../api/types'
import type { Calls } from '../calls/calls'
import type { Lobby } from './lobby'

/** A new lobby. */
export interface CreateLobby {
  /** Queue of the lobby. */
  readonly queueId: string
  /** State of the player: values for the rules, and other data of the game. */
  readonly state?: JsonObject | undefined
  /** The lobby's settings: map, mode, difficulty … */
  readonly settings?: JsonObject | undefined
  /** Shown in lists. */
  readonly name?: string | undefined
  /** Where a match that is started directly runs. */
  readonly region?: Region | undefined
  /** Whether the lobby is private: not in lists, joined only by invite code. */
  readonly isPrivate?: boolean | undefined
  /** At most what the queue allows, which is the default. */
  readonly maxPlayers?: number | undefined
}

/** Which lobby to join: by the invite code that somebody shared, or, where it is public, by its id. */
export type JoinLobby = ({ readonly code: string } | { readonly lobbyId: string }) & {
  /** The player's own state. */
  readonly state?: JsonObject | undefined
}

/** A seat anywhere. */
export interface QuickJoin {
  /** The queue whose lobbies are looked at. */
  readonly queueId: string
  /** Settings that the lobby must have, at most four. */
  readonly filter?: Readonly<Record<string, string | number | boolean | null>> | undefined
  /** The player's own state. */
  readonly state?: JsonObject | undefined
  /** Whether a lobby is made where there is none; true unless said. */
  readonly create?: boolean | undefined
}

/** Which lobbies are listed, and in which order. */
export interface BrowseLobbies {
  /** Only lobbies of this queue. */
  readonly queueId?: string | undefined
  /** In one status; `waiting` ones take players. */
  readonly status?: LobbyData['status'] | undefined
  /** In one region. */
  readonly region?: Region | undefined
  /** With these settings, at most four. */
  readonly settings?: Readonly<Record<string, string | number | boolean | null>> | undefined
  /** The newest first unless said. */
  readonly sort?: 'created_at_desc' | 'created_at_asc' | 'player_count_desc' | undefined
}

/** Ways to a lobby. */
export interface Lobbies {
  /** Makes a lobby, whose host the player is. Rejects with `QUEUE_NOT_FOUND`, `QUEUE_DISABLED`, `PLAN_LIMIT_EXCEEDED`, `VALIDATION_FAILED`. */
  create(lobby: CreateLobby): Promise<Lobby>
  /** Joins by invite code or id; a member gets its lobby again. Rejects with `INVALID_INVITE_CODE`, `LOBBY_NOT_FOUND`, `LOBBY_FULL`, `LOBBY_NOT_ACCEPTING`. */
  join(which: JoinLobby): Promise<Lobby>
  /** Joins the fullest open lobby that fits, or makes one. Rejects with `LOBBY_NOT_FOUND` where none is to be made. */
  quickJoin(seat: QuickJoin): Promise<Lobby>
  /**
   * The lobby that the player is in, after a reload or a crash: the one that `storage` remembers, else the newest. Undefined where the
   * player is in none.
   */
  resume(): Promise<Lobby | undefined>
  /** The public lobbies, each once, page after page as they are asked for. */
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
    async *browse({ queueId, settings, ...same } = {}) {
      const query = new URLSearchParams({ limit: `${PAGE}` })
      for (const [name, value] of Object.entries({ ...same, queue_id: queueId })) if (value) query.set(name, value)
      // In quotes, as a text that looks like a number is one all the same.
      for (const [name, value] of Object.entries({ ...settings })) query.set(`settings[${name}]`, JSON.stringify(value))
      const seen = new Set<string>()
      for (let offset = 0, more = true; more; ) {
        query.set('offset', `${offset}`)
        const page = await call<Page<LobbyData>>('GET', `/v1/lobbies?${query}`)
        for (const lobby of page.data) {
          // New lobbies move others to the next page.
          if (!seen.has(lobby.lobby_id)) yield lobby
          seen.add(lobby.lobby_id)
        }
        // A page of large lobbies has fewer than were asked for.
        offset += page.data.length
        more = page.has_more && page.data.length > 0
      }
    },
  }
}
