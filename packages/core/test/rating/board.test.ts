import { expect, it } from 'vitest'
import { boardOf, boardRanges, rangesOfStanding } from '../../src/rating/board'

const SEASON = { ratingKey: 'prj/ranked@1', season: 2 }
const MATCHES = Array.from({ length: 103 }, (_, matches) => matches)
const boardsOf = (placementMatches: number) =>
  (['placed', 'placement'] as const).map((list) => ({
    list,
    board: boardOf({ key: SEASON.ratingKey, placementMatches }, SEASON.season, list),
  }))

it('the ranges of a leaderboard hold each of its standings once, for every placementMatches, and are at most 53', () => {
  for (let placementMatches = 0; placementMatches <= 100; placementMatches++) {
    for (const { list, board } of boardsOf(placementMatches)) {
      const ranges = boardRanges(board)
      const names = [...ranges.levels, ...ranges.tiers]
      expect(new Set(names).size).toBe(names.length)
      expect(names.length).toBeLessThanOrEqual(53)
      const listed = MATCHES.map((matches) => {
        const { level, tier } = rangesOfStanding({ ...SEASON, matches }) ?? { level: null, tier: '' }
        return Number(level !== null && ranges.levels.includes(level)) + Number(ranges.tiers.includes(tier))
      })
      const expected = MATCHES.map((matches) =>
        Number(matches > 0 && matches >= placementMatches === (list === 'placed')),
      )
      expect(listed, `${list} from ${placementMatches}`).toEqual(expected)
    }
  }
})

it('the ranges of a usual leaderboard are few', () => {
  const count = (placementMatches: number) => {
    const [{ levels, tiers } = { levels: [], tiers: [] }] = boardsOf(placementMatches).map(({ board }) =>
      boardRanges(board),
    )
    return levels.length + tiers.length
  }
  expect([0, 1, 3, 5, 10, 20, 100].map(count)).toEqual([6, 6, 7, 5, 4, 3, 1])
})
