import { checkBound, checkWhole } from '../rules/read'
import { isRegion } from '../rules/regions'
import { RULE_KINDS } from '../rules/registry'
import { boundFaults, boundOf, stepOf } from '../rules/rule-bound'
import type { ConfigIssue, MatchmakingConfig, MatchRule, RuleExpansion } from '../types'
import { fieldOf } from './match-format'

/**
 * Most players of a match. Validation refuses larger matches, so that one queue cannot make a tick last for seconds.
 */
export const MAX_MATCH_PLAYERS = 1000
export const MAX_RULES = 32
export const MAX_EXPANSIONS = 16

/** The names of all settings of `MatchmakingConfig`, so that unknown settings can be refused. */
export const MATCHMAKING_NAMES: { readonly [Name in keyof Required<MatchmakingConfig>]: true } = {
  teams: true,
  playersPerTeam: true,
  minTeams: true,
  minPlayersPerTeam: true,
  maxSizeDifference: true,
  teamComposition: true,
  useVersionFromState: true,
  allowedVersions: true,
  maxPartySize: true,
  partialAfterSeconds: true,
  expansionAge: true,
  backfillPriority: true,
  rules: true,
  serverRegion: true,
  servedRegions: true,
  unservedRegions: true,
}

const at = (prefix: readonly (string | number)[], issues: readonly ConfigIssue[]): ConfigIssue[] =>
  issues.map((issue) => ({ ...issue, path: [...prefix, ...issue.path] }))

const issue = (path: readonly (string | number)[], message: string): ConfigIssue => ({ path, message })

/**
 * Returns the faults of a queue's matchmaking settings (`VALIDATION_FAILED`); empty when the settings are valid. All
 * other functions of the engine expect valid settings.
 */
export const validateConfig = (config: MatchmakingConfig): ConfigIssue[] => [
  ...(config.teamComposition ? checkComposition(config) : checkSymmetric(config)),
  ...optional(config.maxPartySize, (value) => checkWhole('maxPartySize', value, 1, MAX_MATCH_PLAYERS)),
  ...optional(config.partialAfterSeconds, (value) => checkBound('partialAfterSeconds', value, 0)),
  ...checkOneOf(config, 'expansionAge', ['oldest', 'newest']),
  ...checkOneOf(config, 'backfillPriority', ['before', 'after']),
  ...optional(config.serverRegion ?? undefined, (value) =>
    isRegion(value) ? [] : [issue(['serverRegion'], 'must be a region code')],
  ),
  ...optional(config.servedRegions, (codes) =>
    codes.length > 0 && codes.every(isRegion) ? [] : [issue(['servedRegions'], 'must be a list of region codes')],
  ),
  ...checkRules(config.rules ?? []),
]

const optional = <T>(value: T | undefined, check: (value: T) => ConfigIssue[]): ConfigIssue[] =>
  value === undefined ? [] : check(value)

const checkOneOf = (
  config: MatchmakingConfig,
  name: 'expansionAge' | 'backfillPriority',
  values: readonly [string, string],
): ConfigIssue[] =>
  optional(config[name], (value) =>
    values.includes(value) ? [] : [issue([name], `must be ${values[0]} or ${values[1]}`)],
  )

const SYMMETRIC = ['teams', 'playersPerTeam', 'minTeams', 'minPlayersPerTeam'] as const

const checkSymmetric = (config: MatchmakingConfig): ConfigIssue[] => {
  const issues = SYMMETRIC.flatMap((name) =>
    optional(config[name], (value) => checkWhole(name, value, 1, MAX_MATCH_PLAYERS)),
  )
  issues.push(
    ...optional(config.maxSizeDifference ?? undefined, (value) =>
      checkWhole('maxSizeDifference', value, 0, MAX_MATCH_PLAYERS),
    ),
  )
  if (issues.length > 0) return issues
  const teams = config.teams ?? 2
  const size = config.playersPerTeam ?? 1
  if ((config.minTeams ?? teams) > teams) issues.push(issue(['minTeams'], 'must not be above the number of teams'))
  if ((config.minPlayersPerTeam ?? size) > size) {
    issues.push(issue(['minPlayersPerTeam'], 'must not be above the players per team'))
  }
  if (teams * size > MAX_MATCH_PLAYERS)
    issues.push(issue(['teams'], `a match holds at most ${MAX_MATCH_PLAYERS} players`))
  return issues
}

const checkComposition = (config: MatchmakingConfig): ConfigIssue[] => {
  const issues = [...SYMMETRIC, 'maxSizeDifference' as const]
    .filter((name) => (config[name] ?? undefined) !== undefined)
    .map((name) => issue([name], 'cannot be set beside a team composition'))
  const teams = Object.entries(config.teamComposition ?? {})
  if (teams.length === 0) issues.push(issue(['teamComposition'], 'must name a team'))
  let players = 0
  for (const [team, roles] of teams) {
    const counts = Object.entries(roles)
    if (counts.length === 0) issues.push(issue(['teamComposition', team], 'must name a role'))
    for (const [role, count] of counts) {
      issues.push(...at(['teamComposition', team], checkWhole(role, count, 1, MAX_MATCH_PLAYERS)))
      players += count
    }
  }
  if (players > MAX_MATCH_PLAYERS) {
    issues.push(issue(['teamComposition'], `a match holds at most ${MAX_MATCH_PLAYERS} players`))
  }
  return issues
}

const checkRules = (rules: readonly MatchRule[]): ConfigIssue[] => [
  ...(rules.length > MAX_RULES ? [issue(['rules'], `at most ${MAX_RULES} rules`)] : []),
  ...rules.flatMap((rule, index) => at(['rules', index], checkRule(rule))),
]

const checkRule = (rule: MatchRule): ConfigIssue[] => {
  const kind = Object.hasOwn(RULE_KINDS, rule.type) ? RULE_KINDS[rule.type] : undefined
  if (!kind) return [issue(['type'], 'is not a rule type')]
  const field = fieldOf(rule)
  const { scope } = rule as { scope?: string }
  return [
    ...(kind.hasNoField || (typeof field === 'string' && field !== '')
      ? []
      : [issue(['field'], 'must be the name of a field of the player state')]),
    ...(scope === undefined || kind.scopes === undefined || kind.scopes.includes(scope)
      ? []
      : [issue(['scope'], `must be ${kind.scopes[0]} or ${kind.scopes[1]}`)]),
    ...boundFaults(kind.bound, boundOf(kind.bound, rule)),
    ...checkExpansions(rule),
  ]
}

const checkExpansions = (rule: MatchRule): ConfigIssue[] => {
  const steps = rule.expansions ?? []
  const issues = steps.length > MAX_EXPANSIONS ? [issue(['expansions'], `at most ${MAX_EXPANSIONS} steps`)] : []
  const { bound: kept } = RULE_KINDS[rule.type]
  const order = steps.map((_, index) => index).sort((a, b) => afterOf(steps, a) - afterOf(steps, b))
  let loosest = boundOf(kept, rule)
  let off = false
  let before = -1
  for (const index of order) {
    const step = steps[index] as RuleExpansion
    const path = ['expansions', index]
    const { afterSeconds, off: drops, ...loosened } = step
    issues.push(...at(path, checkBound('afterSeconds', afterSeconds, 0)))
    if (afterSeconds === before) issues.push(issue([...path, 'afterSeconds'], 'is given twice'))
    before = afterSeconds
    const bound = stepOf(kept, step)
    const named = Object.values(loosened).filter((value) => value !== undefined).length
    if (named + (drops === true ? 1 : 0) !== 1 || (bound === undefined) === (named === 1)) {
      issues.push(issue(path, `must hold exactly one thing that a ${rule.type} rule can loosen`))
    } else if (off) {
      issues.push(issue(path, 'comes after a step that turned the rule off'))
    } else if (drops === true) {
      off = true
    } else if (bound !== undefined) {
      const bad = kept?.loosens === 'up' ? !(bound >= loosest) : !(bound <= loosest)
      if (bad || !Number.isFinite(bound)) issues.push(issue(path, 'must not tighten the rule'))
      else issues.push(...at(path, boundFaults(kept, bound)))
      loosest = bound
    }
  }
  return issues
}

const afterOf = (steps: readonly RuleExpansion[], index: number): number => steps[index]?.afterSeconds ?? 0
