import { z } from '@hono/zod-openapi'
import type { Match, ServerSummary } from '@matchyard/core'
import { serverSummarySchema } from './lobby'
import { toServerSummaryWire } from './server-summary'
import { dateTime, iso, isoOrNull, region } from './shared'

const matchPlayerSchema = z.object({
  player_id: z.string(),
  lobby_id: z.string(),
  role: z.string().nullable(),
  left_at: dateTime.optional().openapi({ description: 'Set when the player left while the match went on.' }),
})

export const matchSchema = z
  .object({
    match_id: z.string(),
    queue_id: z.string(),
    region,
    teams: z.array(z.object({ name: z.string(), players: z.array(matchPlayerSchema) })),
    server: serverSummarySchema.nullable(),
    created_at: dateTime,
    ended_at: dateTime.nullable(),
  })
  .openapi('Match')

export const toMatchWire = (match: Match, server: ServerSummary | null) => ({
  match_id: match.id,
  queue_id: match.queueId,
  region: match.region,
  teams: match.teams.map((team) => ({
    name: team.name,
    players: team.players.map((player) => ({
      player_id: player.playerId,
      lobby_id: player.lobbyId,
      role: player.role,
      ...(player.leftAt === null ? {} : { left_at: iso(player.leftAt) }),
    })),
  })),
  server: server === null ? null : toServerSummaryWire(server),
  created_at: iso(match.createdAt),
  ended_at: isoOrNull(match.endedAt),
})
