import type { Rating } from '@matchyard/client/admin'
import { expect, it } from 'vitest'
import { boardQueryOf, parametersOf } from '../src/page/rooms/ratings/board-query'
import { favouritesOf, lineOf } from '../src/page/rooms/ratings/calibration-line'
import { exampleOf } from '../src/page/rooms/ratings/carried-rating'
import { bodyOf, draftOf } from '../src/page/rooms/ratings/draft'

const RATING: Rating = {
  ...{ rating_id: 'ranked', name: 'Ranked', model: 'plackettLuce', placement_matches: 5 },
  params: { beta: 25 / 6, tau: 25 / 300, limit_sigma: false },
  initial: { mu: 25, sigma: 8.333 },
  display: { base: 1_500, per_sigma: 500 },
  ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
}

it('settings that were not edited keep all of their digits; an empty text gives the default', () => {
  const draft = draftOf(RATING)
  expect(draft.beta).toBe('4.16667')
  const { params, display, placement_matches } = bodyOf({ ...draft, tau: '0.1', base: '' }, RATING)
  expect({ params, display, placement_matches }).toEqual({
    params: { beta: 25 / 6, tau: 0.1, limit_sigma: false },
    display: { per_sigma: 500 },
    placement_matches: 5,
  })
})

const buckets = (counts: readonly number[], shift: number) =>
  Array.from({ length: 10 }, (_, at) => {
    const count = counts[at] ?? 0
    const predicted = (at + 0.5) / 10
    const range = { from: at / 10, to: (at + 1) / 10, count }
    return count === 0
      ? { ...range, predicted: null, actual: null }
      : { ...range, predicted, actual: predicted + (at < 5 ? -shift : shift) }
  })

it('the chart has a filled dot for many teams, a hollow one for few, and none for an empty bucket', () => {
  const { x, series } = lineOf(buckets([0, 0, 0, 5, 400, 400, 5], 0))
  expect(x.map(Math.round)).toEqual([0, 35, 45, 55, 65, 100])
  const dots = series.map(({ label, values }) => [label, values.map((value) => value !== null)])
  expect(dots.slice(1)).toEqual([
    ['Share of teams that won', [false, false, true, true, false, false]],
    ['Fewer than 100 teams', [false, true, false, false, true, false]],
  ])
})

it.each([
  [0.05, 2_000, 'more'],
  [-0.05, 2_000, 'less'],
  [-0.05, 20, 'as_predicted'],
  [0, 2_000, 'as_predicted'],
])('favourites that win %d more often, of %d teams: %s', (shift, count, verdict) => {
  expect(favouritesOf(buckets(new Array(10).fill(count / 5), shift))).toMatchObject({ count, verdict })
})

it('has no favourites without teams', () => {
  expect(favouritesOf(buckets([3, 3], 0))).toBeUndefined()
})

it('a new season moves the displayed number toward that of a new player', () => {
  expect(exampleOf(RATING, 0.5)).toEqual({ before: '2,000 ± 100', after: '1,750 ± 300' })
  expect(exampleOf(RATING, 0)?.after).toBe('1,500 ± 500')
  expect([exampleOf(RATING, 1.5), exampleOf(RATING, Number.NaN)]).toEqual([undefined, undefined])
})

it('an address names a season by its number; the service gets its name, empty before the first one', () => {
  const seasons = ['one', 'two'].map((name) => ({ name, keep: 0.5, started_at: '2026-01-01T00:00:00Z' }))
  const asked = (query: string) => parametersOf(boardQueryOf(new URLSearchParams(query), seasons), seasons)
  expect(asked('')).toEqual({ season: undefined, around: undefined, placement: undefined })
  expect(asked('season=0')).toMatchObject({ season: '' })
  expect(asked('season=1&list=placement')).toMatchObject({ season: 'one', placement: true })
  // The last season is the present one, and an unknown number is ignored.
  expect([asked('season=2').season, asked('season=x').season]).toEqual([undefined, undefined])
  expect(asked('player=ann&list=placement')).toMatchObject({ around: 'ann', placement: undefined })
})
