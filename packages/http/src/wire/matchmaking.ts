import { z } from '@hono/zod-openapi'
import { type QueueMatchmaking, SECONDS } from '@matchyard/core'
import { matchRuleBody, toMatchRule, toMatchRuleWire } from './match-rule'
import { buildName } from './server-settings'
import { wholeNumber } from './shared'

const count = wholeNumber(1, 1_000)

export const matchmakingBody = z
  .strictObject({
    teams: count.optional(),
    players_per_team: count.optional(),
    min_players_per_team: count.optional(),
    min_teams: count.optional(),
    team_composition: z.record(z.string(), z.record(z.string(), z.number())).optional(),
    use_version_from_state: z.boolean().optional(),
    allowed_versions: z.array(buildName).optional(),
    timeout: wholeNumber(1, SECONDS.max).optional().openapi({ description: 'Seconds.' }),
    max_party_size: count.optional(),
    partial_after: z.number().min(0).max(SECONDS.max).optional().openapi({ description: 'Seconds; default 5.' }),
    expansion_age: z.enum(['oldest', 'newest']).optional(),
    rules: z.array(matchRuleBody).optional(),
  })
  .openapi('Matchmaking')

type MatchmakingBody = z.output<typeof matchmakingBody>

export const toMatchmaking = (body: MatchmakingBody): QueueMatchmaking => ({
  ...(body.teams === undefined ? {} : { teams: body.teams }),
  ...(body.players_per_team === undefined ? {} : { playersPerTeam: body.players_per_team }),
  ...(body.min_players_per_team === undefined ? {} : { minPlayersPerTeam: body.min_players_per_team }),
  ...(body.min_teams === undefined ? {} : { minTeams: body.min_teams }),
  ...(body.team_composition === undefined ? {} : { teamComposition: body.team_composition }),
  ...(body.use_version_from_state === undefined ? {} : { useVersionFromState: body.use_version_from_state }),
  ...(body.allowed_versions === undefined ? {} : { allowedVersions: body.allowed_versions }),
  ...(body.timeout === undefined ? {} : { timeoutSeconds: body.timeout }),
  ...(body.max_party_size === undefined ? {} : { maxPartySize: body.max_party_size }),
  ...(body.partial_after === undefined ? {} : { partialAfterSeconds: body.partial_after }),
  ...(body.expansion_age === undefined ? {} : { expansionAge: body.expansion_age }),
  ...(body.rules === undefined ? {} : { rules: body.rules.map(toMatchRule) }),
})

/** Fields that were left out stay out. */
export const toMatchmakingWire = (matchmaking: QueueMatchmaking) => ({
  teams: matchmaking.teams,
  players_per_team: matchmaking.playersPerTeam,
  min_players_per_team: matchmaking.minPlayersPerTeam,
  min_teams: matchmaking.minTeams,
  team_composition: matchmaking.teamComposition,
  use_version_from_state: matchmaking.useVersionFromState,
  allowed_versions: matchmaking.allowedVersions,
  timeout: matchmaking.timeoutSeconds,
  max_party_size: matchmaking.maxPartySize,
  partial_after: matchmaking.partialAfterSeconds,
  expansion_age: matchmaking.expansionAge,
  rules: matchmaking.rules?.map(toMatchRuleWire),
})
