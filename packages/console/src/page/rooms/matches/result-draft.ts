import type { MatchSnapshot } from '@matchyard/client'
import type { MatchesResultBody, MatchResult } from '@matchyard/client/admin'
import { teamOf } from './result'

type Stats = MatchResult['players'][number]['stats']

interface TeamDraft {
  readonly name: string
  readonly rank: string
  readonly score: string
}

interface PlayerDraft {
  readonly player_id: string
  readonly team: string
  readonly score: string
  readonly left: boolean
  /** Figures of the game, which the form does not edit. */
  readonly stats: Stats
  /** Whether the recorded result lists the player. */
  readonly isListed: boolean
}

/** Result of a match as the texts of a form. */
export interface ResultDraft {
  /** Value by which the teams are ordered. */
  readonly by: 'rank' | 'score'
  readonly teams: readonly TeamDraft[]
  readonly players: readonly PlayerDraft[]
  readonly completed: boolean
  /** Whether the match ends too. */
  readonly end: boolean
}

const textOf = (value: number | null | undefined): string => (value === null || value === undefined ? '' : `${value}`)

/** Returns the draft of a match's result: the recorded values, or empty ones. Erased players are left out. */
export function draftOf(match: MatchSnapshot): ResultDraft {
  const { result } = match
  const seated = match.teams.flatMap(({ players }) => players.map(({ player_id }) => player_id))
  const ids = [...new Set(seated)].filter((id) => id !== '')
  return {
    by: result?.teams.every(({ rank }) => rank === null) ? 'score' : 'rank',
    teams: match.teams.map(({ name }) => {
      const team = result?.teams.find((one) => one.name === name)
      return { name, rank: textOf(team?.rank), score: textOf(team?.score) }
    }),
    players: ids.map((player_id) => {
      const player = result?.players.find((one) => one.player_id === player_id)
      const { score, stats, left = false } = player ?? {}
      const team = teamOf(match, player_id) ?? ''
      return { player_id, team, score: textOf(score), left, stats, isListed: player !== undefined }
    }),
    completed: result?.completed ?? true,
    end: false,
  }
}

/** Whether each team has a value by which the teams are ordered. */
export const isOrdered = ({ by, teams }: ResultDraft): boolean => teams.every((team) => team[by].trim() !== '')

/** Returns the number of a text as a property; none for an empty text. */
const numbered = <K extends string>(name: K, text: string): { readonly [N in K]?: number } =>
  (text.trim() === '' ? {} : { [name]: Number(text) }) as { readonly [N in K]?: number }

/**
 * Returns the result of a draft, in the form in which it is sent to the service. Players without a value are sent only
 * if the recorded result lists them. `amends`: whether the result replaces another one.
 */
export const bodyOf = ({ by, teams, players, completed, end }: ResultDraft, amends: boolean): MatchesResultBody => ({
  teams: teams.map(({ name, rank, score }) => ({
    name,
    ...(by === 'rank' ? numbered('rank', rank) : {}),
    ...numbered('score', score),
  })),
  players: players
    .filter(({ score, left, isListed }) => isListed || left || score.trim() !== '')
    .map(({ player_id, score, left, stats }) => ({
      player_id,
      ...numbered('score', score),
      ...(stats === undefined ? {} : { stats }),
      left,
    })),
  completed,
  ...(end ? { end } : {}),
  ...(amends ? { amend: true } : {}),
})

const LABELS: Readonly<Record<string, string>> = { rank: 'place', score: 'score', player_id: 'player', stats: 'stats' }

/** Returns a fault of a sent result as a sentence, with the name of the team or player in place of the path. */
export function faultSentence(
  { path, message }: { readonly path: string; readonly message: string },
  { teams, players = [] }: MatchesResultBody,
): string {
  const [list, index, field = ''] = path.split(/[.[\]]+/)
  const named = list === 'teams' ? teams[Number(index)]?.name : players[Number(index)]?.player_id.slice(0, 64)
  if (named === undefined) return `${path}: ${message}`
  return `${named}${field === '' ? '' : `, ${LABELS[field] ?? field}`}: ${message}`
}
