import type { Invariant } from './invariant'
import { type CountedNow, countedMatches, inBoardOrder, rankIn, standingsOf } from './rated'

/** Invariant: leaderboards list exactly the standings with matches, in order, and count them. */
export const leaderboardsHoldTheStandings: Invariant = ({ now: { rated } }) =>
  rated === undefined
    ? []
    : rated.boards.flatMap(({ season, placed, listed, count }) => {
        const isOn = ({ matches }: { matches: number }) => matches >= rated.rating.placementMatches === placed
        const there = standingsOf(rated, season).filter((one) => one.matches > 0 && isOn(one))
        const ids = inBoardOrder(there).map(({ id }) => id)
        const name = `the board of season ${season} (placed: ${placed})`
        return [
          ...(ids.join() === listed.join() ? [] : [`${name} lists ${listed.join()}, not ${ids.join()}`]),
          ...(count === ids.length ? [] : [`${name} counts ${count} players, not ${ids.length}`]),
        ]
      })

const MILLION = 1_000_000

/** Returns the counters of a rating as the results of its matches give them. */
function countersOf(key: string, matches: readonly CountedNow[]): Map<string, number> {
  const counters = new Map<string, number>()
  const add = (id: string, by: number) => counters.set(id, (counters.get(id) ?? 0) + by)
  for (const { counted, result } of matches) {
    add(`ever-rated:${key}`, 1)
    if (!result.completed) continue
    add(`rated:${key}`, 1)
    const ranks = counted.teams.map(({ name }) => rankIn(result, name))
    const best = Math.min(...ranks)
    const winners = ranks.filter((rank) => rank === best).length
    for (const [team, { predicted }] of counted.teams.entries()) {
      const bucket = `calibration:${key}/${Math.min(9, Math.floor(predicted * 10))}`
      add(`${bucket}/count`, 1)
      add(`${bucket}/predicted`, Math.round(predicted * MILLION))
      add(`${bucket}/actual`, ranks[team] === best ? Math.round(MILLION / winners) : 0)
    }
  }
  return counters
}

/** Invariant: the numbers of counted matches, and the sums of the calibration, are what the results of the counted matches say. */
export const calibrationIsTheSumOfResults: Invariant = ({ now }) => {
  const { rated } = now
  if (rated === undefined) return []
  const expected = countersOf(rated.rating.key, countedMatches(now, rated))
  return [...rated.counters].flatMap(([id, value]) => {
    const is = expected.get(id) ?? 0
    return value === is ? [] : [`${id} says ${value}, and the matches say ${is}`]
  })
}
