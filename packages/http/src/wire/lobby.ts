import { z } from '@hono/zod-openapi'
import { LOBBY_STATUSES, type Lobby, type LobbyPlayer, PROTOCOLS, SERVER_STATUSES } from '@matchyard/core'
import { toServerSummaryWire } from './server-summary'
import { dateTime, freeForm, iso, region } from './shared'

export const portMappingSchema = z
  .object({
    name: z.string(),
    protocol: z.enum(PROTOCOLS),
    internal_port: z.int(),
    external_port: z.int(),
    host: z.string(),
    tls_enabled: z.boolean(),
  })
  .openapi('PortMapping')

export const serverSummarySchema = z
  .object({
    instance_id: z.string(),
    region,
    status: z.enum(SERVER_STATUSES),
    match_id: z.string(),
    network_ports: z.array(portMappingSchema),
  })
  .openapi('ServerSummary')

export const playerSchema = z
  .object({ player_id: z.string(), is_host: z.boolean(), joined_at: dateTime, state: freeForm })
  .openapi('Player')

export const lobbySchema = z
  .object({
    lobby_id: z.string(),
    queue_id: z.string(),
    status: z.enum(LOBBY_STATUSES),
    host_player_id: z.string(),
    is_private: z.boolean(),
    max_players: z.int().min(1).max(100),
    current_players: z.int().min(0),
    players: z.array(playerSchema),
    name: z.string().optional(),
    region: region.optional(),
    invite_code: z.string().nullable(),
    settings: freeForm,
    server: serverSummarySchema.nullable(),
    match_id: z.string().nullable(),
    version: z.int().min(1).openapi({ description: 'Grows by one with every change; the id of its event.' }),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .openapi('Lobby')

export const toPlayerWire = (lobby: Lobby, player: LobbyPlayer) => ({
  player_id: player.playerId,
  is_host: player.playerId === lobby.hostPlayerId,
  joined_at: iso(player.joinedAt),
  state: player.state,
})

/** The lobby as players and backends see it; `settings` and each `state` are copied untouched. */
export const toLobbyWire = (lobby: Lobby) => ({
  lobby_id: lobby.id,
  queue_id: lobby.queueId,
  status: lobby.status,
  host_player_id: lobby.hostPlayerId,
  is_private: lobby.isPrivate,
  max_players: lobby.maxPlayers,
  current_players: lobby.players.length,
  players: lobby.players.map((player) => toPlayerWire(lobby, player)),
  ...(lobby.name === null ? {} : { name: lobby.name }),
  ...(lobby.region === null ? {} : { region: lobby.region }),
  invite_code: lobby.inviteCode,
  settings: lobby.settings,
  server: lobby.server === null ? null : toServerSummaryWire(lobby.server),
  match_id: lobby.matchId,
  version: lobby.version,
  created_at: iso(lobby.createdAt),
  updated_at: iso(lobby.updatedAt),
})
