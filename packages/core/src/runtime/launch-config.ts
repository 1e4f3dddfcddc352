import type { Build } from '../build/build'
import type { Context } from '../context/context'
import type { Match } from '../match/match'
import type { GameServer } from '../server/game-server'
import type { JsonObject, JsonValue } from '../shared/json'
import { SECOND_MS, toIso } from '../shared/time'
import { issueServerToken } from '../use-cases/access/server-token'

/**
 * The content of `/svc/its_svc.json` (contract §8), one per attempt. The token is made from the instance and the attempt, so
 * nothing secret is stored. `expires_at` is the earliest it can be: the clock of a ttl starts when the server runs.
 */
export function launchConfig(
  ctx: Context,
  server: GameServer,
  build: Build,
  match: Match | undefined,
  at: number,
): JsonObject {
  const expiresAt = server.expiresAt ?? (server.ttlSeconds === null ? null : at + server.ttlSeconds * SECOND_MS)
  return {
    instance_id: server.id,
    project_id: server.projectId,
    queue_id: server.queueId,
    match_id: server.matchId,
    region: server.region,
    tier: server.tier,
    version_tag: server.versionTag,
    build_version: build.buildVersion,
    startup_args: server.startupArgs,
    network_ports: server.networkPorts.map((port) => ({
      name: port.name,
      protocol: port.protocol,
      internal_port: port.internalPort,
      external_port: port.externalPort,
      host: port.host,
      tls_enabled: port.tlsEnabled,
    })),
    custom_data: server.customData,
    settings: match?.settings ?? {},
    teams: (match?.teams ?? []).map(teamConfig),
    api_url: ctx.settings.apiUrl(),
    token: issueServerToken(ctx, server.id, server.attempt),
    expires_at: expiresAt === null ? null : toIso(expiresAt),
  }
}

const teamConfig = (team: Match['teams'][number]): JsonValue => ({
  name: team.name,
  players: team.players
    .filter((player) => player.leftAt === null)
    .map(({ playerId, lobbyId, role, state }) => ({ player_id: playerId, lobby_id: lobbyId, role, state })),
})
