import { freeFormFault, numberFault } from '../catalog/free-form'
import { MAX_BODY_BYTES, MAX_RESULT_RANK, MAX_RESULT_STATS_BYTES } from '../catalog/limits'
import type { ValidationIssue } from '../errors/decision'
import { byteSize, isJsonObject, type JsonObject, type JsonValue } from '../shared/json'
import { type NamesOf, unknownFields } from '../shared/known-names'
import { ERASED, type Match } from './match'
import type { ReportedResult, ResultReport } from './result'

type Part<K extends 'teams' | 'players'> = NonNullable<ResultReport[K]>[number]

const namesOf = <T>(names: NamesOf<T>): readonly string[] => Object.keys(names)
const REPORT_FIELDS = namesOf<ResultReport>({ teams: true, players: true, completed: true })
const TEAM_FIELDS = namesOf<Part<'teams'>>({ name: true, rank: true, score: true })
const PLAYER_FIELDS = namesOf<Part<'players'>>({ playerId: true, score: true, stats: true, left: true })

/** Returns the faults of unknown fields of a report that is a field of its call. */
export const unknownReportFields = (report: ResultReport, under: string): ValidationIssue[] =>
  unknownFields(report, REPORT_FIELDS, under)

const placed = (issues: readonly ValidationIssue[], under: string): ValidationIssue[] =>
  issues.map(({ path, message }) => ({ path: `${under}${path}`, message }))

/**
 * Returns the faults of a report that do not depend on its match: numbers, sizes, names that appear twice, and missing ranks or scores.
 * `under`: path of the report in the call.
 */
export const reportFaults = (report: ResultReport, under = ''): ValidationIssue[] => placed(faultsOf(report), under)

function faultsOf(report: ResultReport): ValidationIssue[] {
  const { teams, players = [] } = report
  if (byteSize(report as unknown as JsonValue) > MAX_BODY_BYTES) {
    return [{ path: 'players', message: `and teams are larger than ${MAX_BODY_BYTES} bytes` }]
  }
  return [
    ...teams.flatMap((team, index) => ofTeam(team, `teams.${index}`)),
    ...repeated(teams, 'teams', 'name'),
    ...orderFaults(teams),
    ...players.flatMap((player, index) => ofPlayer(player, `players.${index}`)),
    ...repeated(players, 'players', 'playerId'),
  ]
}

/** Returns the faults of an outcome in its match: each team of the match once and no other, and only players of the match. */
export const rosterFaults = (match: Match, outcome: ReportedResult, under = ''): ValidationIssue[] =>
  placed(foreignOrMissing(match, outcome), under)

function foreignOrMissing(match: Match, { teams, players }: ReportedResult): ValidationIssue[] {
  const names = match.teams.map(({ name }) => name)
  const playerIds = new Set(match.teams.flatMap((team) => team.players.map(({ playerId }) => playerId)))
  const missing = names.filter((name) => teams.every((team) => team.name !== name))
  return [
    ...teams.flatMap(({ name }, index) =>
      names.includes(name)
        ? []
        : [{ path: `teams.${index}.name`, message: `is not a team of the match; its teams are ${names.join(', ')}` }],
    ),
    ...(missing.length === 0 ? [] : [{ path: 'teams', message: `must have a result for ${missing.join(', ')} too` }]),
    ...players.flatMap(({ playerId }, index) =>
      playerId !== ERASED && playerIds.has(playerId)
        ? []
        : [{ path: `players.${index}.playerId`, message: 'is not a player of this match' }],
    ),
  ]
}

const ofTeam = (team: Part<'teams'>, path: string): ValidationIssue[] => {
  const { rank, score } = team
  return [
    ...unknownFields(team, TEAM_FIELDS, `${path}.`),
    ...(rank === undefined || (Number.isInteger(rank) && rank >= 1 && rank <= MAX_RESULT_RANK)
      ? []
      : [{ path: `${path}.rank`, message: `must be a whole number from 1 to ${MAX_RESULT_RANK}` }]),
    ...scoreFaults(score, path),
  ]
}

const ofPlayer = (player: Part<'players'>, path: string): ValidationIssue[] => [
  ...unknownFields(player, PLAYER_FIELDS, `${path}.`),
  ...scoreFaults(player.score, path),
  ...statsFaults(player.stats, `${path}.stats`),
]

function scoreFaults(score: number | undefined, path: string): ValidationIssue[] {
  if (score === undefined) return []
  const fault = typeof score === 'number' ? numberFault(score) : 'is not a number'
  return fault === undefined ? [] : [{ path: `${path}.score`, message: fault }]
}

function statsFaults(stats: JsonObject | undefined, path: string): ValidationIssue[] {
  if (stats === undefined) return []
  if (!isJsonObject(stats)) return [{ path, message: 'must be an object' }]
  const fault = freeFormFault(stats)
  if (fault !== undefined) return [{ path, message: fault }]
  const bytes = byteSize(stats)
  const message = `has ${bytes} bytes; at most ${MAX_RESULT_STATS_BYTES} bytes are allowed`
  return bytes > MAX_RESULT_STATS_BYTES ? [{ path, message }] : []
}

/** Returns the fault of teams that have neither a rank each nor a score each. */
function orderFaults(teams: ResultReport['teams']): ValidationIssue[] {
  const ranked = teams.findIndex(({ rank }) => rank !== undefined)
  const gap = teams.findIndex(({ rank }) => rank === undefined)
  const message = 'is missing: give every team a rank, or none'
  if (ranked >= 0) return gap < 0 ? [] : [{ path: `teams.${gap}.rank`, message }]
  const scoreless = teams.findIndex(({ score }) => score === undefined)
  return scoreless < 0 ? [] : [{ path: `teams.${scoreless}`, message: 'must have a rank or a score, as every team' }]
}

function repeated<Key extends string>(
  entries: readonly { readonly [K in Key]: string }[],
  list: string,
  key: Key,
): ValidationIssue[] {
  const seen = new Set<string>()
  return entries.flatMap((entry, index) => {
    if (seen.has(entry[key])) return [{ path: `${list}.${index}.${key}`, message: 'appears twice' }]
    seen.add(entry[key])
    return []
  })
}
