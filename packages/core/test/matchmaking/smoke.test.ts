import { expect, test } from 'vitest'
import { createPool, findMatches, isValidMatch, type MatchmakingConfig, type Ticket } from '../../src/matchmaking'

const solo = (id: string, enteredAt: number, state: Record<string, unknown> = {}): Ticket => ({
  id,
  enteredAt,
  players: [{ playerId: `p_${id}`, state }],
})

test('two players make a match, longest waiting first', () => {
  const config: MatchmakingConfig = { rules: [{ type: 'difference', field: 'mmr', maxDifference: 100 }] }
  const tickets = [solo('b', 2, { mmr: 1000 }), solo('a', 1, { mmr: 1050 }), solo('c', 3, { mmr: 3000 })]
  const proposals = findMatches(config, tickets, 10)
  expect(proposals.map((proposal) => proposal.ticketIds)).toEqual([['a', 'b']])
  for (const proposal of proposals) expect(isValidMatch(config, tickets, proposal, 10)).toBe(true)
})

test('roles are filled as the composition says', () => {
  const config: MatchmakingConfig = { teamComposition: { monster: { monster: 1 }, hunters: { hunter: 3, medic: 1 } } }
  const roles = ['hunter', 'hunter', 'monster', 'medic', 'hunter']
  const tickets = roles.map((role, index) => solo(`t${index}`, index, { role }))
  const pool = createPool(config)
  for (const ticket of tickets) pool.add(ticket)
  const [proposal] = pool.tick(10)
  expect(proposal && isValidMatch(config, tickets, proposal, 10)).toBe(true)
  expect(pool.size).toBe(0)
})
