import type { JsonObject, JsonValue } from '../shared/json'
import { shownState } from '../shared/shown-state'
import { type Instant, SECOND_MS, toIso } from '../shared/time'
import type { GameServer, PortMapping } from './game-server'

/** Match data in the server's configuration file. */
export interface ServerFileMatch {
  readonly version: number
  readonly settings: JsonObject
  readonly teams: readonly { readonly name: string; readonly players: readonly ServerFilePlayer[] }[]
}

interface ServerFilePlayer {
  readonly playerId: string
  readonly lobbyId: string
  readonly role: string | null
  readonly state: JsonObject
  /** Fields of the state that are not written into the file, because only the player and backends see them. */
  readonly hidden?: readonly string[]
  readonly leftAt: Instant | null
}

export interface ServerFileFacts {
  readonly server: GameServer
  readonly buildVersion: number
  /** Match of the server; undefined for a server that was launched without a match. */
  readonly match: ServerFileMatch | undefined
  /** URL at which the game server reaches the service. */
  readonly apiUrl: string
  /** Token of this attempt; it is not valid for other attempts. */
  readonly token: string
  /** Key by which the server verifies the join tokens of its match; null for a server without a match. */
  readonly joinTokenKey: string | null
  readonly at: Instant
}

/**
 * Returns the content of `/svc/its_svc.json` (docs/http-api.md §8). Each attempt has its own file. Game developers read this file, so it
 * uses the names of the HTTP API; no other code in the core does (ADR 0070). `expires_at` is the earliest possible end, because the ttl
 * begins when the server runs.
 */
export function serverFile({
  server,
  buildVersion,
  match,
  apiUrl,
  token,
  joinTokenKey,
  at,
}: ServerFileFacts): JsonObject {
  const expiresAt = server.expiresAt ?? (server.ttlSeconds === null ? null : at + server.ttlSeconds * SECOND_MS)
  return {
    instance_id: server.id,
    project_id: server.projectId,
    queue_id: server.queueId,
    match_id: server.matchId,
    region: server.region,
    tier: server.tier,
    version_tag: server.versionTag,
    build_version: buildVersion,
    startup_args: server.startupArgs,
    network_ports: server.networkPorts.map(portInFile),
    custom_data: server.customData,
    match_version: match?.version ?? null,
    settings: match?.settings ?? {},
    teams: teamsInFile(match),
    api_url: apiUrl,
    token,
    join_token_key: joinTokenKey,
    expires_at: expiresAt === null ? null : toIso(expiresAt),
  }
}

const portInFile = (port: PortMapping): JsonValue => ({
  name: port.name,
  protocol: port.protocol,
  internal_port: port.internalPort,
  external_port: port.externalPort,
  host: port.host,
  tls_enabled: port.tlsEnabled,
})

/** Returns the teams as the server's file and the server's own stream show them. Players who left are not included. */
export const teamsInFile = (match: Pick<ServerFileMatch, 'teams'> | undefined): JsonValue[] =>
  (match?.teams ?? []).map(teamInFile)

const teamInFile = (team: ServerFileMatch['teams'][number]): JsonValue => ({
  name: team.name,
  players: team.players
    .filter((player) => player.leftAt === null)
    .map((player) => ({
      ...{ player_id: player.playerId, lobby_id: player.lobbyId, role: player.role, state: shownState(player) },
    })),
})
