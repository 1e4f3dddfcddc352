import { expect, it } from 'vitest'
import type { Match, MatchPlayer } from '../../src/match/match'
import { metIn } from '../../src/match/meetings'

const playing = (playerId: string, times: Partial<MatchPlayer> = {}): MatchPlayer => ({
  ...{ playerId, lobbyId: 'lob', role: null, state: {}, leftAt: null },
  ...times,
})
const match = (one: MatchPlayer[], other: MatchPlayer[], more: Partial<Match> = {}) =>
  ({
    ...{ startedAt: 100, endedAt: null, seats: [] },
    teams: [
      { name: 'a', players: one },
      { name: 'b', players: other },
    ],
    ...more,
  }) as unknown as Match

it('names mates and opponents, with the begin of the match', () => {
  expect(metIn(match([playing('ann'), playing('bob')], [playing('cat')]), 'ann')).toEqual([
    { playerId: 'bob', at: 100, opponent: false },
    { playerId: 'cat', at: 100, opponent: true },
  ])
})

it('names only players who were there at the same time', () => {
  const of = (one: MatchPlayer, other: MatchPlayer, more: Partial<Match> = {}) =>
    metIn(match([one], [other], more), 'ann').map(({ playerId }) => playerId)
  const ann = playing('ann')
  // bob left during the launch; cat left the running match; dan came after ann had left.
  expect(of(ann, playing('bob', { leftAt: 90 }))).toEqual([])
  expect(of(ann, playing('cat', { leftAt: 150 }))).toEqual(['cat'])
  expect(of(playing('ann', { leftAt: 119 }), playing('dan', { joinedAt: 120 }))).toEqual([])
  expect(of(playing('ann', { leftAt: 120 }), playing('dan', { joinedAt: 120 }))).toEqual(['dan'])
  expect(of(ann, playing('dan', { joinedAt: 120 }), { endedAt: 130 })).toEqual(['dan'])
})

it('names nobody in a match that never ran, in a direct start, and for an erased player', () => {
  const { startedAt: _, ...launching } = match([playing('ann')], [playing('bob')])
  const { seats: __, ...direct } = match([playing('ann')], [playing('bob')])
  expect([launching, direct].map((one) => metIn(one as Match, 'ann'))).toEqual([[], []])
  expect(metIn(match([playing('ann')], [playing('')]), 'ann')).toEqual([])
})

it('names a player who came back to the match as an opponent, if they were one at any time', () => {
  const left = playing('bob', { leftAt: 150 })
  const back = playing('bob', { joinedAt: 160 })
  expect(metIn(match([playing('ann'), left], [back]), 'ann')).toEqual([
    { playerId: 'bob', at: 100, opponent: false },
    { playerId: 'bob', at: 100, opponent: true },
  ])
})
