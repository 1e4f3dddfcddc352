import type { Configuration, WireTeam } from './configuration'
import type { JsonObject } from './json'
import type { Hearing, Link } from './link'

const LOCAL_BACKFILL_MS = 300_000
const LOCAL_SEAT_SECONDS = 30

/**
 * Configuration of a game server that runs without Matchyard, for the development of a game. Every field is optional.
 */
export interface LocalServer {
  /** Ports by name, as `server.port(name)` returns them. */
  readonly ports?: Readonly<Record<string, number>>
  /** Teams with their players. If this field is missing, every player is accepted. */
  readonly teams?: readonly { readonly name: string; readonly players: readonly (string | LocalPlayer)[] }[]
  /** Settings of the lobby; `{}` by default. */
  readonly settings?: object
  /** `custom_data` of the queue; `{}` by default. */
  readonly customData?: object
  /** Id of the match; `local_match` by default. */
  readonly matchId?: string
}

/** A player of a local match. */
export interface LocalPlayer {
  readonly playerId: string
  readonly role?: string
  /** State of the player; `{}` by default. */
  readonly state?: object
}

/** Returns the configuration that Matchyard would write for a match with these settings. */
export const localConfiguration = (local: LocalServer): Configuration => ({
  instance_id: 'local_server',
  project_id: 'local_project',
  queue_id: null,
  match_id: local.matchId ?? 'local_match',
  match_version: 1,
  region: 'iad',
  custom_data: (local.customData ?? {}) as JsonObject,
  settings: (local.settings ?? {}) as JsonObject,
  teams: (local.teams ?? []).map(({ name, players }) => ({ name, players: players.map(wirePlayer) })),
  api_url: '',
  token: '',
  join_token_key: null,
  expires_at: null,
})

function wirePlayer(player: string | LocalPlayer): WireTeam['players'][number] {
  const { playerId, role = null, state = {} } = typeof player === 'string' ? { playerId: player } : player
  return { player_id: playerId, lobby_id: 'local_lobby', role, state: state as JsonObject }
}

/** Returns a link that needs no service. Changes of the match are reported only to the game server itself. */
export function localLink({ match_id, teams: first }: Configuration): Link {
  let hearing: Hearing | undefined
  let teams = first
  let version = 1
  return {
    open(heard) {
      hearing = heard
    },
    ready: async () => {},
    async playerLeft(playerId) {
      teams = teams.map(({ name, players }) => ({ name, players: players.filter((one) => one.player_id !== playerId) }))
      hearing?.onMatch({ match_version: ++version, teams })
    },
    async backfill() {
      const at = (inMs: number) => new Date(Date.now() + inMs).toISOString()
      const times = { created_at: at(0), expires_at: at(LOCAL_BACKFILL_MS) }
      return { match_id: match_id ?? '', status: 'searching', teams: [], ...times }
    },
    cancelBackfill: async () => {},
    async keepSeat(body) {
      const { player_id, team, hold } = body as { player_id: string; team?: string; hold?: number }
      const expires_at = new Date(Date.now() + (hold ?? LOCAL_SEAT_SECONDS) * 1_000).toISOString()
      return { player_id, team: team ?? teams[0]?.name ?? 'local', expires_at }
    },
    freeSeat: async () => {},
    result: async () => {},
    close: async () => {},
    shutdown: async () => {},
    release() {
      hearing = undefined
    },
  }
}
