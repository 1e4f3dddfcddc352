import type { JsonObject } from '@matchyard/client'
import type { MatchRule, Queue } from '@matchyard/client/admin'

/** A state by which players suit each other: what the queue's rules compare is in it, the same for all. */
export function suitingState(queue: Queue): JsonObject {
  const { rules = [], allowed_versions, use_version_from_state } = queue.matchmaking ?? {}
  const state: Record<string, unknown> = {}
  for (const rule of rules) {
    const field = 'field' in rule && rule.field !== undefined ? rule.field : 'regions'
    if (!queue.trusted_fields?.includes(field)) state[field] ??= valueFor(rule)
  }
  if (use_version_from_state || allowed_versions !== undefined) {
    state.game_version = allowed_versions?.[0] ?? queue.server_settings?.version_tag ?? '1.0'
  }
  return state
}

function valueFor(rule: MatchRule): unknown {
  switch (rule.type) {
    case 'difference':
    case 'team_difference':
      return 1_500
    case 'min':
    case 'max':
      return rule.value
    case 'equals':
      return 'same'
    // Each has another one.
    case 'not_equals':
      return Math.floor(Math.random() * 1e9)
    case 'intersection':
      return Array.from({ length: rule.min_overlap ?? 1 }, (_, index) => `map-${index + 1}`)
    case 'region':
      return ['iad', 'fra']
    case 'latency':
      return { iad: 20, fra: 90 }
  }
}

/** How many players make a match of the queue, as soon as it may begin. */
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
