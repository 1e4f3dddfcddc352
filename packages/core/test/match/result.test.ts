import { expect, it } from 'vitest'
import { playerLabel } from '../../src/lobby/labels'
import { bindsPlayers } from '../../src/match/decide'
import { matchLabels } from '../../src/match/labels'
import type { Match } from '../../src/match/match'
import { sameOutcome } from '../../src/match/record-result'
import { outcomeOf, type ResultReport } from '../../src/match/result'
import { reportFaults } from '../../src/match/result-faults'

const teams = [
  { name: 'red', rank: 1, score: 3 },
  { name: 'blue', rank: 2 },
]
const faultsOf = (report: Partial<ResultReport>) =>
  reportFaults({ teams, ...report }).map(({ path, message }) => `${path} ${message}`)

it('a report has a rank for every team, or a score for every team', () => {
  expect(faultsOf({})).toEqual([])
  expect(
    faultsOf({
      teams: [
        { name: 'red', score: 1 },
        { name: 'blue', score: -0.5 },
      ],
    }),
  ).toEqual([])
  expect(
    faultsOf({
      teams: [
        { name: 'red', rank: 1 },
        { name: 'blue', rank: 1 },
      ],
    }),
  ).toEqual([])
  expect(
    faultsOf({
      teams: [
        { name: 'red', rank: 1, score: 1 },
        { name: 'blue', score: 1 },
      ],
    }),
  ).toEqual(['teams.1.rank is missing: give every team a rank, or none'])
  expect(faultsOf({ teams: [{ name: 'red', score: 1 }, { name: 'blue' }] })).toEqual([
    'teams.1 must have a rank or a score, as every team',
  ])
})

it('a report has whole ranks, finite scores, and figures of at most 2 kB, which its faults name by path', () => {
  const stats = (bytes: number) => ({ n: 'x'.repeat(bytes - '{"n":""}'.length) })
  expect(
    faultsOf({
      teams: [
        { name: 'red', rank: 0 },
        { name: 'blue', rank: 1.5 },
      ],
    }),
  ).toEqual([
    'teams.0.rank must be a whole number from 1 to 1000000',
    'teams.1.rank must be a whole number from 1 to 1000000',
  ])
  expect(
    faultsOf({
      teams: [
        { name: 'red', rank: 1 },
        { name: 'red', rank: 2 },
      ],
    }),
  ).toEqual(['teams.1.name appears twice'])
  expect(faultsOf({ players: [{ playerId: 'ann', stats: stats(2_048) }] })).toEqual([])
  const players = [
    { playerId: 'ann', stats: stats(2_049) },
    { playerId: 'ann', score: Number.NaN },
  ]
  expect(faultsOf({ players })).toEqual([
    'players.0.stats has 2049 bytes; at most 2048 bytes are allowed',
    'players.1.score contains a number that is not finite',
    'players.1.playerId appears twice',
  ])
})

it('a report is at most as large as the largest request', () => {
  const players = Array.from({ length: 40 }, (_, n) => ({ playerId: `p${n}`, stats: { n: 'x'.repeat(2_000) } }))
  expect(faultsOf({ players })).toEqual(['players and teams are larger than 65536 bytes'])
})

it('two outcomes are equal after their defaults, in any order', () => {
  const players = [{ playerId: 'ann', stats: { a: 1, b: 2 } }, { playerId: 'bob' }]
  const first = outcomeOf({ teams, players })
  const again = outcomeOf({
    teams: [...teams].reverse(),
    players: [
      { playerId: 'bob', left: false, stats: {} },
      { playerId: 'ann', stats: { b: 2, a: 1 } },
    ],
    completed: true,
  })
  expect(sameOutcome(first, again)).toBe(true)
  expect(sameOutcome(first, { ...again, completed: false })).toBe(false)
  expect(sameOutcome(first, outcomeOf({ teams, players: [{ playerId: 'ann', stats: { a: 1, b: 3 } }] }))).toBe(false)
})

it('leaving a match has no penalty once the match has a result', () => {
  const running = { status: 'running', seats: [] } as unknown as Match
  expect(bindsPlayers(running)).toBe(true)
  expect(bindsPlayers({ ...running, result: {} as never })).toBe(false)
})

it('a match is found by the players of its result, also when its roster no longer lists them', () => {
  const match = { projectId: 'prj', teams: [{ name: 'red', players: [{ playerId: 'ann' }] }] } as unknown as Match
  const result = { players: [{ playerId: 'ann' }, { playerId: 'bob' }, { playerId: '' }] } as never
  expect(matchLabels({ ...match, result })).toEqual(['ann', 'bob'].map((id) => playerLabel('prj', id)))
})
