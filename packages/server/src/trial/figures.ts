import { type BrierFigures, type BucketFigures, brierOf, bucketsOf, mean } from './brier'
import { isEven } from './chances'
import type { Finished, PlayedMatch, PlayerAtMatch } from './record'
import type { TrialSettings } from './settings'

/** Numbers of played matches at which the table of experience has a row. */
const EXPERIENCE = [0, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000]
/** Most matches on either side of the begin of a season that its row compares. */
const AROUND_SEASON = 1_000

/** Shares (0 to 1) of matches in which both teams win with 40 to 60 %. */
export interface EvenFigures {
  readonly predicted: number | null
  /** By the true skills. */
  readonly chance: number | null
  /** By prediction, among the matches for which the waiting players allowed an even match. */
  readonly wherePossible: number | null
  /** Share of the matches for which the waiting players allowed an even match. */
  readonly possible: number | null
}

export interface SetFigures {
  readonly matches: number
  readonly brier: BrierFigures
  readonly even: EvenFigures
}

/** Ratings of players at one number of played matches, and the matches of players with at least this experience. */
export interface ExperienceFigures extends SetFigures {
  readonly played: number
  readonly players: number
  /** Correlation between rating (`mu`) and true skill. */
  readonly correlation: number | null
  readonly sigma: number | null
}

/** Matches before and after the begin of a season. */
export interface SeasonFigures {
  readonly season: number
  readonly before: SetFigures
  readonly after: SetFigures
}

/** Figures of a trial. The measured matches are those after the warm-up. */
export interface TrialFigures extends SetFigures {
  readonly rating: Finished['rating']
  readonly settings: Omit<TrialSettings, 'model' | 'beta' | 'tau'>
  readonly buckets: readonly BucketFigures[]
  /** Correlation between rating (`mu`) and true skill, over all players who have played, after the last match. */
  readonly correlation: number | null
  readonly experience: readonly ExperienceFigures[]
  readonly seasons: readonly SeasonFigures[]
}

/** Returns the figures of a finished trial. */
export function trialFigures(settings: TrialSettings, { rating, matches, players }: Finished): TrialFigures {
  const measured = matches.slice(settings.warmUp)
  const { model: _, beta: __, tau: ___, ...shown } = settings
  return {
    rating: { model: rating.model, params: rating.params },
    settings: shown,
    ...setFigures(measured),
    buckets: bucketsOf(measured),
    correlation: correlation(players.filter(({ played }) => played > 0)),
    experience: experienceOf(matches),
    seasons: seasonsOf(matches),
  }
}

const setFigures = (matches: readonly PlayedMatch[]): SetFigures => ({
  matches: matches.length,
  brier: brierOf(matches),
  even: evenOf(matches),
})

function evenOf(matches: readonly PlayedMatch[]): EvenFigures {
  const share = (among: readonly PlayedMatch[], is: (match: PlayedMatch) => boolean) =>
    mean(among, (match) => Number(is(match)))
  const isPredictedEven = ({ predicted }: PlayedMatch) => isEven(predicted)
  return {
    predicted: share(matches, isPredictedEven),
    chance: share(matches, ({ chance }) => isEven(chance)),
    wherePossible: share(
      matches.filter((match) => match.couldBeEven),
      isPredictedEven,
    ),
    possible: share(matches, (match) => match.couldBeEven),
  }
}

/** Returns a row for each number of played matches that some players reached. */
function experienceOf(matches: readonly PlayedMatch[]): ExperienceFigures[] {
  const least = (match: PlayedMatch) => Math.min(...match.players.map(({ played }) => played))
  return EXPERIENCE.flatMap((played, row) => {
    const next = EXPERIENCE[row + 1] ?? Number.POSITIVE_INFINITY
    const players = matches.flatMap((match) => match.players.filter((player) => player.played === played))
    if (players.length === 0) return []
    return {
      ...{ played, players: players.length, correlation: correlation(players) },
      sigma: mean(players, ({ sigma }) => sigma),
      ...setFigures(matches.filter((match) => least(match) >= played && least(match) < next)),
    }
  })
}

function seasonsOf(matches: readonly PlayedMatch[]): SeasonFigures[] {
  const last = matches.at(-1)?.season ?? 0
  const seasons = Array.from({ length: last + 1 }, (_, number) => matches.filter(({ season }) => season === number))
  return seasons.slice(1).map((played, earlier) => ({
    season: earlier + 1,
    before: setFigures((seasons[earlier] ?? []).slice(-AROUND_SEASON)),
    after: setFigures(played.slice(0, AROUND_SEASON)),
  }))
}

/** Returns the correlation (Pearson) between rating and true skill; null where all ratings are equal. */
function correlation(players: readonly PlayerAtMatch[]): number | null {
  const [mu, skill] = [mean(players, (one) => one.mu) ?? 0, mean(players, (one) => one.skill) ?? 0]
  const sum = (of: (one: PlayerAtMatch) => number) => players.reduce((total, one) => total + of(one), 0)
  const both = sum((one) => (one.mu - mu) * (one.skill - skill))
  const deviations = Math.sqrt(sum((one) => (one.mu - mu) ** 2) * sum((one) => (one.skill - skill) ** 2))
  return deviations === 0 ? null : both / deviations
}
