import type { SetFigures, TrialFigures } from './figures'

const percent = (share: number | null) => (share === null ? '–' : `${(100 * share).toFixed(1)} %`)
const fixed = (value: number | null, digits: number) => (value === null ? '–' : value.toFixed(digits))
const whole = (value: number) => value.toLocaleString('en-US')

type Line = readonly string[]

/** Returns lines of cells as text. The first column is left-aligned, all others are right-aligned. */
function aligned(lines: readonly Line[]): string {
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length))) ?? []
  const padded = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)
  return lines.map((line) => line.map(padded).join('   ')).join('\n')
}

/** Returns the figures of a trial as text. */
export function trialReport(figures: TrialFigures): string {
  return [head(figures), summary(figures), calibration(figures), experience(figures), ...seasons(figures)].join('\n\n')
}

function head({ rating: { model, params }, settings, matches }: TrialFigures): string {
  const { playersPerTeam = 1 } = settings.matchmaking
  return [
    `${model}, beta ${params.beta.toFixed(3)}, tau ${params.tau.toFixed(3)}, seed ${settings.seed}`,
    `${whole(settings.players)} players, ${playersPerTeam} against ${playersPerTeam}: ${whole(matches)} matches are measured, after ${whole(settings.warmUp)} matches of warm-up`,
  ].join('\n')
}

const summary = ({ brier, even, correlation }: TrialFigures): string =>
  aligned([
    ['Brier score of the predictions', fixed(brier.score, 4)],
    ['best possible Brier score', fixed(brier.best, 4)],
    ['expected excess over the best', percent(brier.excess)],
    ['  by calibration', percent(brier.byCalibration)],
    ['  by noise of the ratings', percent(brier.byNoise)],
    ['even matches (40 to 60 %), predicted', percent(even.predicted)],
    ['  where the waiting players allowed it', percent(even.wherePossible)],
    ['  by the true skills', percent(even.chance)],
    ['matches for which they allowed it', percent(even.possible)],
    ['correlation of rating and skill', fixed(correlation, 3)],
  ])

const calibration = ({ buckets }: TrialFigures): string =>
  aligned([
    ['predicted', 'teams', 'mean', 'won', 'by true skills'],
    ...buckets.map(({ from, to, count, predicted, actual, chance }) => [
      `${(100 * from).toFixed(0)} to ${(100 * to).toFixed(0)} %`,
      whole(count),
      ...[percent(predicted), percent(actual), percent(chance)],
    ]),
  ])

const SET_HEAD = ['matches', 'excess', 'by calibration', 'even', 'even in truth']
const setCells = ({ matches, brier, even }: SetFigures): Line => [
  whole(matches),
  ...[percent(brier.excess), percent(brier.byCalibration), percent(even.predicted), percent(even.chance)],
]

const experience = ({ experience: rows }: TrialFigures): string =>
  aligned([
    ['matches played before', 'players', 'correlation', 'sigma', ...SET_HEAD],
    ...rows.map((row) => [
      `${row.played}`,
      ...[whole(row.players), fixed(row.correlation, 3), fixed(row.sigma, 2), ...setCells(row)],
    ]),
  ])

const seasons = ({ seasons: begun }: TrialFigures): string[] =>
  begun.length === 0
    ? []
    : [
        aligned([
          ['season', '', ...SET_HEAD],
          ...begun.flatMap(({ season, before, after }) => [
            [`${season}`, 'before', ...setCells(before)],
            ['', 'after', ...setCells(after)],
          ]),
        ]),
      ]
