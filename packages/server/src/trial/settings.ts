import type { QueueMatchmaking } from '@matchyard/core'
import { ConfigurationError } from '../config/configuration-error'

/** Settings of a trial: a rating, its queue, and the synthetic players who play in it. */
export interface TrialSettings {
  readonly players: number
  readonly matches: number
  /** Number of matches before the measured ones, in which the ratings find the skills. */
  readonly warmUp: number
  /** Average number of players who enter the queue per second. */
  readonly rate: number
  /** Deviation of the true skills, as a multiple of the uncertainty of a new player. */
  readonly spread: number
  readonly seed: number
  readonly model: string | undefined
  readonly beta: number | undefined
  readonly tau: number | undefined
  /** Number of matches of each season; undefined without seasons. */
  readonly seasonEvery: number | undefined
  /** Share of the distance to the initial skill that players keep at the begin of a season, 0 to 1. */
  readonly keep: number
  readonly matchmaking: QueueMatchmaking
  /** Field of player states into which the queue writes the rating. */
  readonly ratingField: string
}

interface Bounds {
  readonly min: number
  readonly max: number
  readonly isWhole: boolean
}

/** Bounds of the options that are numbers. A trial holds its players and matches in memory. */
const BOUNDS = {
  players: { min: 4, max: 20_000, isWhole: true },
  matches: { min: 10, max: 200_000, isWhole: true },
  'warm-up': { min: 0, max: 200_000, isWhole: true },
  rate: { min: 0.001, max: 1_000, isWhole: false },
  spread: { min: 0.01, max: 10, isWhole: false },
  seed: { min: 0, max: 2 ** 32 - 1, isWhole: true },
  'team-size': { min: 1, max: 16, isWhole: true },
  'season-every': { min: 10, max: 200_000, isWhole: true },
  keep: { min: 0, max: 1, isWhole: false },
} as const satisfies Readonly<Record<string, Bounds>>

/** Most seasons of one trial; a rating has no more. */
const MAX_TRIAL_SEASONS = 200

/** Values of the command line, by the names of the options. */
export type TrialWords = Readonly<Record<keyof typeof BOUNDS | 'beta' | 'tau' | 'model', string | undefined>>

/** Settings that a file of a queue gives to a trial. */
export type TrialQueue = Pick<TrialSettings, 'matchmaking' | 'ratingField'>

/** Returns the settings for the words of the command line. Throws ConfigurationError with a sentence for each fault. */
export function trialSettings(words: TrialWords, queue: TrialQueue | undefined): TrialSettings {
  const faults: string[] = []
  const number = (name: keyof typeof BOUNDS): number | undefined => {
    const word = words[name]
    const value = word === undefined ? undefined : word.trim() === '' ? Number.NaN : Number(word)
    const { min, max, isWhole } = BOUNDS[name]
    if (value === undefined || (value >= min && value <= max && (!isWhole || Number.isInteger(value)))) return value
    faults.push(
      `--${name} must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}, not ${word || 'an empty text'}`,
    )
    return undefined
  }
  const matches = number('matches') ?? 20_000
  const players = number('players') ?? 2_000
  const settings = {
    ...{ players, matches, warmUp: number('warm-up') ?? Math.floor(matches / 2) },
    ...{ rate: number('rate') ?? players / 200, spread: number('spread') ?? 1, seed: number('seed') ?? 1 },
    model: words.model,
    ...{ beta: parameter(words.beta), tau: parameter(words.tau) },
    ...{ seasonEvery: number('season-every'), keep: number('keep') ?? 0.5 },
    ...(queue ?? usualQueue(number('team-size') ?? 1)),
  }
  faults.push(...faultsBetween(settings, words, queue))
  if (faults.length > 0) throw new ConfigurationError(faults)
  return settings
}

// The service checks these two: its refusal names the bounds.
const parameter = (word: string | undefined) => (word === undefined ? undefined : Number(word))

function* faultsBetween(settings: TrialSettings, words: TrialWords, queue: TrialQueue | undefined): Iterable<string> {
  const { matches, warmUp, seasonEvery, players, matchmaking } = settings
  const { teams = 2, playersPerTeam = 1 } = matchmaking
  if (warmUp >= matches)
    yield `--warm-up must be below the ${matches} matches, not ${warmUp}; nothing would be measured`
  if (seasonEvery === undefined && words.keep !== undefined)
    yield '--keep needs --season-every: the matches of a season'
  if (seasonEvery !== undefined && matches / seasonEvery > MAX_TRIAL_SEASONS) {
    yield `--season-every ${seasonEvery} makes more than ${MAX_TRIAL_SEASONS} seasons of ${matches} matches; give a larger number`
  }
  if (queue !== undefined && words['team-size'] !== undefined) yield '--team-size is for a trial without --queue'
  if (teams !== 2) yield `a trial needs a queue of two teams, not ${teams}: a chance of 40 to 60 % means two sides`
  if (players < 2 * 2 * playersPerTeam) {
    yield `--players must be at least ${4 * playersPerTeam}, twice the players of a match, not ${players}`
  }
}

/** Points between the ratings of a match that a usual queue allows at first, and after some waiting. */
const usualQueue = (playersPerTeam: number): TrialQueue => ({
  ratingField: 'mmr',
  matchmaking: {
    ...{ teams: 2, playersPerTeam },
    rules: [
      {
        ...{ type: 'difference', field: 'mmr', maxDifference: 100 },
        expansions: [
          { afterSeconds: 15, maxDifference: 200 },
          { afterSeconds: 30, maxDifference: 400 },
          { afterSeconds: 60, off: true },
        ],
      },
    ],
  },
})
