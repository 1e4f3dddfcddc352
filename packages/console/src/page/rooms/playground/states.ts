import type { JsonObject } from '@matchyard/client'
import type { Queue } from '@matchyard/client/admin'
import { RULE_FORMS, RULE_KINDS } from '@matchyard/matchmaking'
import { configOfQueue } from '@matchyard/matchmaking/simulation'

/**
 * Returns a sample state of a player: the fields that the queue's rules read, with values that match those of the other
 * sample players. Trusted fields are left out.
 */
export function suitingState(queue: Queue): JsonObject {
  const { allowed_versions, use_version_from_state } = queue.matchmaking ?? {}
  const state: Record<string, unknown> = {}
  for (const rule of configOfQueue(queue).rules ?? []) {
    const { hasNoField, fieldUnlessSaid = '' } = RULE_KINDS[rule.type]
    const field = ('field' in rule ? rule.field : undefined) ?? fieldUnlessSaid
    if (!hasNoField && !queue.trusted_fields?.includes(field))
      state[field] ??= RULE_FORMS[rule.type].sample(rule, Math.random())
  }
  if (use_version_from_state || allowed_versions !== undefined) {
    state.game_version = allowed_versions?.[0] ?? queue.server_settings?.version_tag ?? '1.0'
  }
  return state
}

/**
 * Returns the number of players of the smallest match of the queue. If the queue has roles, returns the number of
 * players of a full match.
 */
export function playersNeeded({ matchmaking, max_players }: Queue): number {
  if (matchmaking === undefined) return Math.min(2, max_players)
  const { team_composition, teams = 2, players_per_team = 1, min_players_per_team, min_teams } = matchmaking
  if (team_composition !== undefined) {
    return Object.values(team_composition).reduce(
      (sum, roles) => sum + Object.values(roles).reduce((all, count) => all + count, 0),
      0,
    )
  }
  return (min_teams ?? teams) * (min_players_per_team ?? players_per_team)
}
