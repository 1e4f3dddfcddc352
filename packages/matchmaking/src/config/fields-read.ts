import { REGIONS_FIELD } from '../rules/region'
import type { MatchmakingConfig } from '../types'
import { VERSION_FIELD } from './match-format'

const ROLE_FIELDS = ['role', 'roles']

/**
 * The fields of players' states that matchmaking by this configuration reads, each once: those of its rules, of roles where teams have some,
 * and of the version where players share one. Other fields of a state never change a match.
 */
export function fieldsRead({ rules = [], teamComposition, useVersionFromState }: MatchmakingConfig): readonly string[] {
  const fields = new Set(rules.map(({ field }) => field ?? REGIONS_FIELD))
  if (teamComposition !== undefined) for (const field of ROLE_FIELDS) fields.add(field)
  if (useVersionFromState === true) fields.add(VERSION_FIELD)
  return [...fields]
}
