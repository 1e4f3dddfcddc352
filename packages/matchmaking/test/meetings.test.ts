import { expect, test } from 'vitest'
import type { Proposal } from '../src/index'
import { Meetings } from '../src/simulation/meetings'

const pair = (one: string, other: string) => {
  const players = (playerId: string) => [{ playerId, ticketId: playerId, role: null }]
  const teams = [
    { name: 'team_1', players: players(one) },
    { name: 'team_2', players: players(other) },
  ]
  const proposal: Proposal = { ticketIds: [one, other], teams, region: 'iad', version: null }
  return { proposal, tickets: [] }
}

const recentOf = (meetings: Meetings, playerId: string) =>
  meetings.withRecent({ id: 't', enteredAt: 0, players: [{ playerId, state: {} }] }).players[0]?.recent

test('keeps the last twenty matches of a player, and a bounded number of players', () => {
  const meetings = new Meetings({ rules: [{ type: 'recent_opponents' }] })
  for (let match = 0; match < 25; match++) meetings.begin(pair('ann', `p${match}`), match)
  expect(recentOf(meetings, 'ann')?.map(({ at }) => at)).toEqual(Array.from({ length: 20 }, (_, index) => 24 - index))
  expect(recentOf(meetings, 'p24')).toEqual([{ playerId: 'ann', at: 24, opponent: true }])
  for (let match = 0; match < 50_000; match++) meetings.begin(pair(`q${match}`, `r${match}`), 100)
  expect(recentOf(meetings, 'ann')).toEqual([])
})
