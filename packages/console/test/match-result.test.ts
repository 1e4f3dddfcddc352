import type { MatchSnapshot } from '@matchyard/client'
import { expect, it } from 'vitest'
import { mayReport, resultFor } from '../src/page/rooms/matches/result'
import { bodyOf, draftOf, faultSentence, isOrdered } from '../src/page/rooms/matches/result-draft'

const DAY_MS = 86_400_000
const player = (player_id: string, left_at?: string) => ({
  player_id,
  lobby_id: 'lob_1',
  role: null,
  ...(left_at && { left_at }),
})
const match = (more: object): MatchSnapshot =>
  ({
    ...{ result: null, started_at: '2026-01-01T00:00:00Z', ended_at: null },
    teams: [
      { name: 'red', players: [player('ann'), player('')] },
      { name: 'blue', players: [player('bob', '2026-01-01T00:05:00Z')] },
    ],
    ...more,
  }) as unknown as MatchSnapshot

const result = (more: object = {}) => ({
  teams: [
    { name: 'red', rank: null, score: 9 },
    { name: 'blue', rank: null, score: 16 },
  ],
  players: [
    { player_id: 'ann', score: 3, stats: { kills: 3 }, left: false },
    { player_id: '', score: 1, left: false },
  ],
  ...{ completed: true, recorded_by: 'server', recorded_at: '2026-01-01T00:10:00Z', amended_at: null },
  ...more,
})

it('an amendment sends the figures of players again, and leaves erased players and unlisted ones out', () => {
  const draft = draftOf(match({ result: result() }))
  expect(bodyOf({ ...draft, teams: [{ name: 'red', rank: '', score: '20' }, draft.teams[1] as never] }, true)).toEqual({
    teams: [
      { name: 'red', score: 20 },
      { name: 'blue', score: 16 },
    ],
    players: [{ player_id: 'ann', score: 3, stats: { kills: 3 }, left: false }],
    completed: true,
    amend: true,
  })
})

it('a first result has the places of all teams, and the players with a score and those who left', () => {
  const empty = draftOf(match({}))
  expect(isOrdered(empty)).toBe(false)
  const teams = empty.teams.map((team, at) => ({ ...team, rank: `${at + 1}` }))
  const players = empty.players.map((one) => ({ ...one, left: one.player_id === 'bob' }))
  const draft = { ...empty, teams, players, completed: false, end: true }
  expect(isOrdered(draft)).toBe(true)
  expect(bodyOf(draft, false)).toEqual({
    teams: [
      { name: 'red', rank: 1 },
      { name: 'blue', rank: 2 },
    ],
    players: [{ player_id: 'bob', left: true }],
    completed: false,
    end: true,
  })
})

it('a refusal names teams and players', () => {
  const body = bodyOf(draftOf(match({ result: result() })), false)
  const issues = [
    { path: 'teams[1].rank', message: 'is missing' },
    { path: 'players.0.player_id', message: 'is not a player of this match' },
    { path: 'teams', message: 'must have a result for green too' },
  ]
  expect(issues.map((issue) => faultSentence(issue, body))).toEqual([
    'blue, place: is missing',
    'ann, player: is not a player of this match',
    'teams: must have a result for green too',
  ])
})

it('a first result is offered until 24 hours after the end, and an amendment for 7 days after the first', () => {
  const end = Date.parse('2026-01-01T01:00:00Z')
  const ended = match({ ended_at: '2026-01-01T01:00:00Z' })
  expect([mayReport(match({}), end + 9 * DAY_MS), mayReport(match({ started_at: null }), end)]).toEqual([true, false])
  expect([mayReport(ended, end + DAY_MS), mayReport(ended, end + DAY_MS + 1)]).toEqual([true, false])
  const recorded = { ...ended, result: result({ recorded_at: ended.ended_at }) } as unknown as MatchSnapshot
  expect([mayReport(recorded, end + 7 * DAY_MS), mayReport(recorded, end + 7 * DAY_MS + 1)]).toEqual([true, false])
})

it.each([
  [{}, 'Lost', 'Won'],
  [{ completed: false }, 'Not completed', 'Not completed'],
  [{ players: [{ player_id: 'bob', left: true }] }, 'Lost', 'Left'],
  [{ teams: ['red', 'blue'].map((name) => ({ name, rank: 1, score: null })) }, 'Draw', 'Draw'],
  [
    { teams: ['red', 'blue', 'green'].map((name, at) => ({ name, rank: 5 - at, score: null })) },
    'Place 3 of 3',
    'Place 2 of 3',
  ],
])('a player reads the outcome in words: %j', (more, ann, bob) => {
  const resulted = match({ result: result(more) })
  expect(['ann', 'bob'].map((id) => resultFor(resulted, id)?.[1])).toEqual([ann, bob])
  expect([resultFor(resulted, ''), resultFor(match({}), 'ann')]).toEqual([undefined, undefined])
})
