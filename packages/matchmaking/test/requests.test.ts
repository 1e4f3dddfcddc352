import { expect, test } from 'vitest'
import {
  createPool,
  findMatches,
  isValidFill,
  type MatchmakingConfig,
  type SeatRequest,
  type Ticket,
} from '../src/index'

const NOW = 100_000
const ticket = (id: string, waited: number, ...states: object[]): Ticket => ({
  id,
  enteredAt: NOW - waited,
  players: states.map((state, seat) => ({ playerId: `${id}.${seat}`, state: { ...state } })),
})
const request = (
  id: string,
  waited: number,
  open: readonly [number, number],
  rest: Partial<SeatRequest> = {},
): SeatRequest => ({
  id,
  requestedAt: NOW - waited,
  players: [
    { playerId: 'red', state: { mmr: 1000 }, team: 'team_1', role: null },
    { playerId: 'blue', state: { mmr: 1040 }, team: 'team_2', role: null },
  ],
  teams: open.map((seats, index) => ({ name: `team_${index + 1}`, open: seats, roles: null })),
  region: 'fra',
  version: null,
  ...rest,
})
const two: MatchmakingConfig = { playersPerTeam: 2, rules: [{ type: 'difference', field: 'mmr', maxDifference: 100 }] }

test('a party that suits takes open seats, in one team, and leaves the pool with the request', () => {
  const pool = createPool(two)
  pool.addRequest(request('m', 0, [1, 2]))
  const party = ticket('a', 0, { mmr: 1010 }, { mmr: 1060 })
  pool.add(party)
  pool.add(ticket('far', 5, { mmr: 1101 }))
  expect(pool.hasRequest('m')).toBe(true)
  const [fill, ...others] = pool.tick(NOW)
  expect(others).toEqual([])
  expect(fill).toEqual({
    requestId: 'm',
    ticketIds: ['a'],
    teams: [{ name: 'team_2', players: [0, 1].map((seat) => ({ playerId: `a.${seat}`, ticketId: 'a', role: null })) }],
    region: 'fra',
    version: null,
  })
  expect(isValidFill(two, [party], request('m', 0, [1, 2]), fill as never, NOW)).toBe(true)
  expect([pool.size, pool.hasRequest('m'), pool.removeRequest('m')]).toEqual([1, false, false])
})

test('new matches come before open seats, or after them', () => {
  const tickets = [ticket('a', 9, { mmr: 1000 }), ticket('b', 8, { mmr: 1000 }), ticket('c', 7, { mmr: 1000 })]
  const served = (backfillPriority: 'before' | 'after') =>
    findMatches({ rules: two.rules, backfillPriority }, tickets, NOW, [request('m', 0, [1, 0])]).map(
      ({ requestId, ticketIds }) => [requestId, ...ticketIds],
    )
  expect(served('after')).toEqual([
    [undefined, 'a', 'b'],
    ['m', 'c'],
  ])
  expect(served('before')).toEqual([
    [undefined, 'b', 'c'],
    ['m', 'a'],
  ])
})

test('an older request keeps its party where it would find fewer players instead, also among many parties', () => {
  const asks = (id: string, waited: number, mmr: number, open: readonly [number, number]) =>
    request(id, waited, open, { players: [{ playerId: id, state: { mmr }, team: 'team_1', role: null }] })
  const requests = [asks('oldest', 9, 900, [1, 1]), asks('older', 8, 1000, [0, 2]), asks('younger', 7, 1100, [0, 2])]
  // More parties than the exhaustive search of fills takes. The oldest request has enough parties of its own.
  const own = Array.from({ length: 12 }, (_, index) => ticket(`own ${index}`, 50 - index, { mmr: 820 }))
  const wanted = ticket('wanted', 6, { mmr: 1000 }, { mmr: 1000 })
  const pool = [...own, wanted, ticket('one more', 5, { mmr: 950 })]
  const fills = findMatches({ ...two, backfillPriority: 'before' }, pool, NOW, requests).filter(
    ({ requestId }) => requestId !== undefined,
  )
  expect(fills.map(({ requestId, ticketIds }) => [requestId, ...ticketIds])).toEqual([
    ['oldest', 'own 0', 'own 1'],
    ['older', 'wanted'],
  ])
})
