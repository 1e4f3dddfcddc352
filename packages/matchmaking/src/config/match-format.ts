import { ALL_REGIONS, regionMask } from '../rules/region-mask'
import { DEFAULT_REGION } from '../rules/regions'
import { RULE_KINDS } from '../rules/registry'
import { boundOf, stepOf } from '../rules/rule-bound'
import type { RuleKind } from '../rules/rule-kind'
import { boundWithin, readWithin } from '../rules/served-regions'
import type { MatchmakingConfig, MatchRule } from '../types'

/** A team of a match, as configured. */
export interface TeamFormat {
  readonly name: string
  /** Fewest and most players of the team. */
  readonly min: number
  readonly max: number
  /** Number of players by role, in the order of the configuration; undefined where teams have no roles. */
  readonly roles: ReadonlyMap<string, number> | undefined
  /** The roles of a team, one entry for each player's place in the team; empty where teams have no roles. */
  readonly places: readonly string[]
}

/** A rule with its bound at every level of relaxation. */
export interface RuleLevels {
  readonly rule: MatchRule
  readonly kind: RuleKind
  /** Key of `state` that the rule reads; null for a rule that reads no state. */
  readonly field: string | null
  /**
   * By level: the bound of the rule, and whether the rule is off. A level is the number of the format's thresholds that
   * a ticket has waited for.
   */
  readonly bounds: readonly number[]
  readonly off: readonly boolean[]
  /** For the shape `apart`: whether the rule keeps only players of one team apart. */
  readonly inTeam: boolean
}

/** A queue's configuration with its defaults filled in, parsed once. */
export interface MatchFormat {
  readonly teams: readonly TeamFormat[]
  readonly composed: boolean
  readonly minTeams: number
  /** Number of players of a full match, and number of players of the smallest match that is allowed. */
  readonly fullSize: number
  readonly leastSize: number
  readonly largestTeam: number
  readonly maxPartySize: number
  /** Whether the configuration allows matches with fewer players than a full match. */
  readonly short: boolean
  /**
   * Largest allowed difference between the sizes of two teams of a match, in players; infinite where there is no bound.
   */
  readonly maxSizeDifference: number
  readonly partialAfterMs: number
  readonly versioned: boolean
  readonly allowedVersions: ReadonlySet<string> | undefined
  readonly ageOf: 'oldest' | 'newest'
  /** Whether a tick fills open seats before it makes new matches. */
  readonly seatsFirst: boolean
  readonly rules: readonly RuleLevels[]
  /**
   * Waiting times, in milliseconds, at which at least one rule relaxes, in rising order. The level of a ticket is the
   * number of these thresholds that its waiting time has reached.
   */
  readonly thresholds: readonly number[]
  readonly serverRegion: string | undefined
  /** Regions in which servers can run, as bits. */
  readonly served: number
  /** Region of a match when neither the queue nor the lobby nor a rule decides. */
  readonly usualRegion: string
}

export const VERSION_FIELD = 'game_version'
const PARTIAL_AFTER_SECONDS = 5

const planTeams = (config: MatchmakingConfig): TeamFormat[] => {
  if (config.teamComposition) {
    return Object.entries(config.teamComposition).map(([name, roles]) => {
      const size = Object.values(roles).reduce((sum, count) => sum + count, 0)
      const places = Object.entries(roles).flatMap(([role, count]) => new Array<string>(count).fill(role))
      return { name, min: size, max: size, roles: new Map(Object.entries(roles)), places }
    })
  }
  const max = config.playersPerTeam ?? 1
  const min = config.minPlayersPerTeam ?? max
  return Array.from({ length: config.teams ?? 2 }, (_, index) => ({
    name: `team_${index + 1}`,
    min,
    max,
    roles: undefined,
    places: [],
  }))
}

/** Returns the key of `state` that a rule reads; null for a rule that reads no state. */
export const fieldOf = (rule: MatchRule): string | null => {
  const { fieldUnlessSaid = null, hasNoField } = RULE_KINDS[rule.type]
  return hasNoField ? null : ((rule as { field?: string }).field ?? fieldUnlessSaid)
}

const planRule = (rule: MatchRule, thresholds: readonly number[], teams: number, served: number): RuleLevels => {
  const kind = readWithin(RULE_KINDS[rule.type], served)
  const bounds = [boundOf(kind.bound, rule)]
  const off = [false]
  for (const threshold of thresholds) {
    const step = rule.expansions?.find((expansion) => expansion.afterSeconds * 1000 === threshold)
    bounds.push((step && stepOf(kind.bound, step)) ?? (bounds.at(-1) as number))
    off.push(step?.off === true || (off.at(-1) as boolean))
  }
  // In a match of one team, the team is the match.
  const inTeam = teams > 1 && kind.shape === 'apart' && (rule as { scope?: string }).scope === 'team'
  return { rule, kind, field: fieldOf(rule), bounds: boundWithin(kind, bounds, served), off, inTeam }
}

/** Returns the format of a configuration, which must pass `validateConfig`. */
export const formatOf = (config: MatchmakingConfig): MatchFormat => {
  const teams = planTeams(config)
  const rules = config.rules ?? []
  const thresholds = [
    ...new Set(rules.flatMap((rule) => (rule.expansions ?? []).map((step) => step.afterSeconds * 1000))),
  ]
  thresholds.sort((a, b) => a - b)
  const composed = config.teamComposition !== undefined
  const served = config.servedRegions ? regionMask(config.servedRegions) : ALL_REGIONS
  const seen = config.unservedRegions === true ? ALL_REGIONS : served
  const largestTeam = Math.max(...teams.map((team) => team.max))
  const minTeams = composed ? teams.length : (config.minTeams ?? teams.length)
  const fullSize = teams.reduce((sum, team) => sum + team.max, 0)
  const leastSize = composed ? fullSize : minTeams * (teams[0]?.min ?? 0)
  return {
    teams,
    composed,
    minTeams,
    fullSize,
    leastSize,
    largestTeam,
    maxPartySize: config.maxPartySize ?? largestTeam,
    short: leastSize < fullSize,
    maxSizeDifference: config.maxSizeDifference ?? Number.POSITIVE_INFINITY,
    partialAfterMs: (config.partialAfterSeconds ?? PARTIAL_AFTER_SECONDS) * 1000,
    versioned: config.useVersionFromState === true,
    allowedVersions: config.allowedVersions && new Set(config.allowedVersions),
    ageOf: config.expansionAge ?? 'oldest',
    seatsFirst: config.backfillPriority === 'before',
    rules: rules.map((rule) => planRule(rule, thresholds, teams.length, seen)),
    thresholds,
    serverRegion: config.serverRegion ?? undefined,
    served,
    usualRegion: config.servedRegions?.[0] ?? DEFAULT_REGION,
  }
}

/** Returns the level of a ticket: the number of the format's thresholds that it has waited for. */
export const levelAt = (format: MatchFormat, enteredAt: number, now: number): number => {
  let level = 0
  while (level < format.thresholds.length && now - enteredAt >= (format.thresholds[level] as number)) level++
  return level
}

/**
 * Compares tickets by age, for sorting: the ticket that entered first comes first. Tickets with equal entry times are
 * ordered by ticket id, in code units.
 */
export const byAge = (a: { enteredAt: number; id: string }, b: { enteredAt: number; id: string }): number =>
  a.enteredAt - b.enteredAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
