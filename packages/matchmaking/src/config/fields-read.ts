import { REGIONS_FIELD } from '../rules/region'
import type { MatchmakingConfig } from '../types'
import { VERSION_FIELD } from './match-format'

const ROLE_FIELDS = ['role', 'roles']

/**
 * Returns the names of the state fields that matchmaking with this configuration reads, each name once: the fields of
 * rules, of roles, and of the version. Other fields of a player's state never change a match.
 */
export function fieldsRead({ rules = [], teamComposition, useVersionFromState }: MatchmakingConfig): readonly string[] {
  const fields = new Set(rules.map(({ field }) => field ?? REGIONS_FIELD))
  if (teamComposition !== undefined) for (const field of ROLE_FIELDS) fields.add(field)
  if (useVersionFromState === true) fields.add(VERSION_FIELD)
  return [...fields]
}
