import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPool, findMatches, isValidMatch, type MatchmakingConfig, type Ticket } from '../src/index'
import { PATIENCE, rounds } from './rounds'

const NOW = 1_000_000
const ticketsOf = (sizes: readonly number[]): Ticket[] =>
  sizes.map((size, index) => ({
    id: `t${String(index).padStart(2, '0')}`,
    enteredAt: index,
    players: Array.from({ length: size }, (_, seat) => ({ playerId: `${index}.${seat}`, state: { mmr: index * 10 } })),
  }))
const shortOf = (
  teams: number,
  playersPerTeam: number,
  minPlayersPerTeam: number,
  minTeams = teams,
  maxSizeDifference?: number,
): MatchmakingConfig => ({
  teams,
  playersPerTeam,
  minPlayersPerTeam,
  minTeams,
  maxSizeDifference,
  partialAfterSeconds: 1,
})

/** Returns the team sizes of the only match, largest first; empty without a match. */
function sizesOf(config: MatchmakingConfig, sizes: readonly number[]): number[] {
  const tickets = ticketsOf(sizes)
  const [match, ...others] = findMatches(config, tickets, NOW)
  expect(others).toEqual([])
  if (match) expect(isValidMatch(config, tickets, match, NOW)).toBe(true)
  return (match?.teams ?? []).map(({ players }) => players.length).sort((a, b) => b - a)
}

const singles = (count: number) => Array.from({ length: count }, () => 1)

test.each<[string, MatchmakingConfig, number[], number[]]>([
  ['six singles, 2 x 5, at least 1', shortOf(2, 5, 1), singles(6), [3, 3]],
  ['four singles, 2 x 3, at least 1', shortOf(2, 3, 1), singles(4), [2, 2]],
  ['eight singles, 2 x 5, at least 3', shortOf(2, 5, 3), singles(8), [4, 4]],
  ['seven singles, 3 x 4, at least 1, 2 teams', shortOf(3, 4, 1, 2), singles(7), [3, 2, 2]],
  ['a party of four and a single, 2 x 5', shortOf(2, 5, 1), [4, 1], [4, 1]],
  ['a party of three and three singles, 2 x 5', shortOf(2, 5, 1), [3, 1, 1, 1], [3, 3]],
  ['five singles, 2 x 5, equal sides', shortOf(2, 5, 1, 2, 0), singles(5), [2, 2]],
  ['seven singles, 3 x 4, equal sides', shortOf(3, 4, 1, 2, 0), singles(7), [2, 2, 2]],
  ['a party of four and a single, 2 x 5, by 3 at most', shortOf(2, 5, 1, 2, 3), [4, 1], [4, 1]],
  ['a party of four and a single, 2 x 5, by 2 at most', shortOf(2, 5, 1, 2, 2), [4, 1], []],
  ['parties of four, two and one, 2 x 5, by 1 at most', shortOf(2, 5, 1, 2, 1), [4, 2, 1], [4, 3]],
  ['a full match of five and five, equal sides', shortOf(2, 5, 1, 2, 0), [5, 3, 2], [5, 5]],
  [
    'nine pairs and a party of six, 2 x 20, equal sides',
    shortOf(2, 20, 1, 2, 0),
    [6, ...singles(9).map(() => 2)],
    [12, 12],
  ],
  ['twelve singles and a pair, 2 x 10', shortOf(2, 10, 1), [2, ...singles(12)], [7, 7]],
])('%s: sides are as even as the parties allow', (_, config, parties, expected) => {
  expect(sizesOf(config, parties)).toEqual(expected)
})

/** Returns the least difference of team sizes and the sum of squares, over all divisions of the parties, by trying each of them. */
function mostEven(parties: readonly number[], teams: number, { min, max }: { min: number; max: number }): number[] {
  const key = (sizes: readonly number[]) => [
    Math.max(...sizes) - Math.min(...sizes),
    sizes.reduce((sum, size) => sum + size * size, 0),
  ]
  let best: number[] | undefined
  for (let code = 0; code < teams ** parties.length; code++) {
    const sizes = new Array<number>(teams).fill(0)
    for (let rest = code, at = 0; at < parties.length; at++, rest = Math.floor(rest / teams)) {
      sizes[rest % teams] = (sizes[rest % teams] as number) + (parties[at] as number)
    }
    if (sizes.some((size) => size < min || size > max)) continue
    const found = key(sizes)
    if (best === undefined || (found[0] as number) < (best[0] as number)) best = found
    else if (found[0] === best[0] && (found[1] as number) < (best[1] as number)) best = found
  }
  return best as number[]
}

test(
  'a short match of up to twelve parties is as even as the best of all divisions of its parties',
  () => {
    const shapes = fc.record({
      teams: fc.integer({ min: 2, max: 3 }),
      playersPerTeam: fc.integer({ min: 2, max: 8 }),
      least: fc.integer({ min: 1, max: 3 }),
      parties: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 12 }),
      bound: fc.constantFrom(undefined, 0, 1, 2),
    })
    let judged = 0
    const judge = ({
      teams,
      playersPerTeam,
      least,
      parties,
      bound,
    }: typeof shapes extends fc.Arbitrary<infer S> ? S : never) => {
      const min = Math.min(least, playersPerTeam)
      const tickets = ticketsOf(parties.filter((size) => size <= playersPerTeam))
      const sizeOf = new Map(tickets.map(({ id, players }) => [id, players.length]))
      const config = shortOf(teams, playersPerTeam, min, teams, bound)
      for (const match of findMatches(config, tickets, NOW)) {
        expect(isValidMatch(config, tickets, match, NOW)).toBe(true)
        if (teams ** match.ticketIds.length > 200_000) continue
        const sizes = match.teams.map(({ players }) => players.length)
        const squares = sizes.reduce((sum, size) => sum + size * size, 0)
        const members = match.ticketIds.map((id) => sizeOf.get(id) as number)
        const best = mostEven(members, sizes.length, { min, max: playersPerTeam })
        expect([Math.max(...sizes) - Math.min(...sizes), squares]).toEqual(best)
        judged++
      }
    }
    fc.assert(fc.property(shapes, judge), { numRuns: Math.ceil(rounds * 0.3) })
    expect(judged).toBeGreaterThan(10)
  },
  PATIENCE,
)

test('who waits for even sides is told the bound, until a match within it is possible', () => {
  const pool = createPool(shortOf(2, 5, 1, 2, 2))
  const tickets = ticketsOf([4, 1, 2])
  for (const ticket of tickets.slice(0, 2)) pool.add(ticket)
  expect(pool.tick(NOW)).toEqual([])
  expect(pool.explain('t00', NOW)).toMatchObject({ fittingAll: 1, maxSizeDifference: 2 })
  pool.add(tickets[2] as Ticket)
  expect(pool.explain('t00', NOW)).toMatchObject({ fittingAll: 2, maxSizeDifference: null })
  expect(pool.tick(NOW)[0]?.teams.map(({ players }) => players.length)).toEqual([4, 3])
})
