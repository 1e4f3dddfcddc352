import { expect, test } from 'vitest'
import { createPool, findMatches, isValidMatch, type MatchmakingConfig, type Ticket } from '../src/index'

type State = Record<string, unknown>
const party = (id: string, enteredAt: number, ...states: State[]): Ticket => ({
  id,
  enteredAt,
  players: states.map((state, seat) => ({ playerId: `${id}.${seat}`, state })),
})
const ids = (config: MatchmakingConfig, tickets: readonly Ticket[], now = 1_000) => {
  const proposals = findMatches(config, tickets, now)
  for (const proposal of proposals) expect(isValidMatch(config, tickets, proposal, now)).toBe(true)
  return proposals.map((proposal) => proposal.ticketIds)
}
const within = (maxDifference: number): MatchmakingConfig => ({
  rules: [{ type: 'difference', field: 'mmr', maxDifference }],
})

test('a player matched with himself: two lobbies of one player never meet, and still meet others', () => {
  const twice = (id: string, enteredAt: number): Ticket => ({
    id,
    enteredAt,
    players: [{ playerId: 'ann', state: {} }],
  })
  expect(ids({}, [twice('a', 1), twice('b', 2)])).toEqual([])
  expect(ids({}, [twice('a', 1), twice('b', 2), party('c', 3, {})])).toEqual([['a', 'c']])
})

test('a cancel that still yields a match: a removed ticket is in no proposal', () => {
  const pool = createPool({})
  pool.add(party('a', 1, {}))
  pool.add(party('b', 2, {}))
  expect(pool.remove('a')).toBe(true)
  expect(pool.tick(1_000)).toEqual([])
  expect(pool.remove('a')).toBe(false)
})

test('a field called millis that holds seconds: an expansion is due after seconds, to the millisecond', () => {
  const config: MatchmakingConfig = {
    rules: [
      { type: 'difference', field: 'mmr', maxDifference: 10, expansions: [{ afterSeconds: 20, maxDifference: 100 }] },
    ],
  }
  const pool = createPool(config)
  pool.add(party('a', 0, { mmr: 0 }))
  pool.add(party('b', 5_000, { mmr: 50 }))
  expect(pool.nextDueAt(5_000)).toBe(20_000)
  expect(pool.tick(19_999)).toEqual([])
  expect(pool.tick(20_000).map((proposal) => proposal.ticketIds)).toEqual([['a', 'b']])
})

test('under newest a match has only what its youngest ticket has earned', () => {
  const config: MatchmakingConfig = {
    expansionAge: 'newest',
    rules: [
      { type: 'difference', field: 'mmr', maxDifference: 10, expansions: [{ afterSeconds: 20, maxDifference: 100 }] },
    ],
  }
  const tickets = [party('a', 0, { mmr: 0 }), party('b', 5_000, { mmr: 50 })]
  expect(ids(config, tickets, 24_999)).toEqual([])
  expect(ids(config, tickets, 25_000)).toEqual([['a', 'b']])
})

test('the longest waiting is served although the nearest pair would leave it', () => {
  const tickets = [party('far', 1, { mmr: 0 }), party('mid', 2, { mmr: 9 }), party('near', 3, { mmr: 10 })]
  expect(ids(within(10), tickets)).toEqual([['far', 'mid']])
})

test('a partner is passed on so that one more is served', () => {
  // Pairing the nearest first would pair b with c, and leave a and d.
  const tickets = [
    party('b', 1, { mmr: 10 }),
    party('c', 2, { mmr: 11 }),
    party('a', 3, { mmr: 1 }),
    party('d', 4, { mmr: 20 }),
  ]
  expect(ids(within(10), tickets)).toEqual([
    ['b', 'a'],
    ['c', 'd'],
  ])
})

test('two versions never meet, nor does a player without one', () => {
  const config: MatchmakingConfig = { useVersionFromState: true }
  const tickets = [party('a', 1, { game_version: '1' }), party('b', 2, { game_version: '2' }), party('c', 3, {})]
  expect(ids(config, tickets)).toEqual([])
  const [proposal] = findMatches(config, [...tickets, party('d', 4, { game_version: '2' })], 1_000)
  expect(proposal).toMatchObject({ ticketIds: ['b', 'd'], version: '2' })
})

test('the region is the queue’s where it is shared, else the first shared one of the longest-waiting host', () => {
  const rules = [{ type: 'region' as const }]
  const tickets = [
    party('a', 1, { regions: ['sin', 'fra', 'ams'] }),
    party('b', 2, { regions: ['ams', 'fra', 'nowhere'] }),
  ]
  expect(findMatches({ rules, serverRegion: 'ams' }, tickets, 9)[0]?.region).toBe('ams')
  expect(findMatches({ rules, serverRegion: 'iad' }, tickets, 9)[0]?.region).toBe('fra')
  expect(findMatches({}, [{ ...party('a', 1, {}), region: 'syd' }, party('b', 2, {})], 9)[0]?.region).toBe('syd')
  expect(findMatches({}, [party('a', 1, {}), party('b', 2, {})], 9)[0]?.region).toBe('iad')
})

test('rules see only the regions that are served, and the first served one is the usual region', () => {
  const tickets = [party('a', 1, { regions: ['ams', 'fra'] }), party('b', 2, { regions: ['ams', 'fra'] })]
  const served = (servedRegions: readonly string[], minOverlap: number) =>
    findMatches({ rules: [{ type: 'region', minOverlap }], servedRegions }, tickets, 9).map(({ region }) => region)
  expect(served(['iad'], 1)).toEqual([])
  expect(served(['iad', 'fra'], 1)).toEqual(['fra'])
  const preferred = { rules: [{ type: 'region' as const }], unservedRegions: true }
  expect(findMatches({ ...preferred, servedRegions: ['fra'] }, tickets, 9)[0]?.region).toBe('fra')
  expect(findMatches({ ...preferred, servedRegions: ['iad'] }, tickets, 9)[0]?.region).toBe('ams')
  // Players cannot share more regions than there are.
  expect(served(['fra'], 2)).toEqual(['fra'])
  const pings = { a: { ams: 5, fra: 40 }, b: { ams: 5, iad: 10 } }
  const near = [party('a', 1, { pings: pings.a }), party('b', 2, { pings: pings.b })]
  const rules = [{ type: 'latency' as const, field: 'pings', maxMs: 50 }]
  expect(findMatches({ rules }, near, 9)[0]?.region).toBe('ams')
  expect(findMatches({ rules, servedRegions: ['fra', 'iad'] }, near, 9)).toEqual([])
  expect(findMatches({ servedRegions: ['fra', 'ams'] }, [party('a', 1, {}), party('b', 2, {})], 9)[0]?.region).toBe(
    'fra',
  )
})

test('2v2 from parties of 2, 1 and 1: the party stays whole', () => {
  const tickets = [party('duo', 1, { mmr: 1 }, { mmr: 2 }), party('x', 2, { mmr: 3 }), party('y', 3, { mmr: 4 })]
  const [proposal] = findMatches({ ...within(10), playersPerTeam: 2 }, tickets, 1_000)
  expect(proposal?.teams.map((team) => team.players.map((player) => player.ticketId))).toEqual([
    ['duo', 'duo'],
    ['x', 'y'],
  ])
})

test('one monster against three hunters and a medic, first choices first', () => {
  const config: MatchmakingConfig = { teamComposition: { monster: { monster: 1 }, hunters: { hunter: 3, medic: 1 } } }
  const tickets = [
    party('a', 1, { role: 'hunter' }),
    party('b', 2, { roles: ['medic', 'hunter'] }),
    party('c', 3, { roles: ['hunter', 'monster'] }),
    party('d', 4, { roles: ['monster', 'hunter'] }),
    party('e', 5, {}),
  ]
  const [proposal] = findMatches(config, tickets, 1_000)
  const roles = Object.fromEntries(
    proposal?.teams.flatMap((team) => team.players.map((p) => [p.ticketId, p.role])) ?? [],
  )
  expect(roles).toEqual({ a: 'hunter', b: 'medic', c: 'hunter', d: 'monster', e: 'hunter' })
})

test('full before short: three of ten teams start only once the longest has waited, with all who wait', () => {
  const config: MatchmakingConfig = { teams: 10, playersPerTeam: 1, minTeams: 3, partialAfterSeconds: 5 }
  const four = ['a', 'b', 'c', 'd'].map((id, index) => party(id, index, {}))
  expect(ids(config, four, 4_999)).toEqual([])
  expect(ids(config, four, 5_000)).toEqual([['a', 'b', 'c', 'd']])
  expect(ids(config, four.slice(0, 2), 5_000)).toEqual([])
})

test('teams are as even as the parties allow', () => {
  const tickets = [10, 20, 30, 40].map((mmr, index) => party(`t${mmr}`, index, { mmr }))
  const [proposal] = findMatches({ ...within(100), playersPerTeam: 2 }, tickets, 1_000)
  expect(proposal?.teams.map((team) => team.players.map((player) => player.ticketId))).toEqual([
    ['t10', 't40'],
    ['t20', 't30'],
  ])
})

test('a pool says why a ticket is still waiting', () => {
  const config: MatchmakingConfig = {
    useVersionFromState: true,
    rules: [
      { type: 'difference', field: 'mmr', maxDifference: 10, expansions: [{ afterSeconds: 30, maxDifference: 100 }] },
      { type: 'region' },
    ],
    playersPerTeam: 2,
  }
  const state = (mmr: number, ...regions: string[]) => ({ mmr, regions, game_version: '1' })
  const pool = createPool(config)
  pool.add(party('me', 0, state(0, 'fra')))
  pool.add(party('far', 1, state(90, 'fra')))
  pool.add(party('abroad', 2, state(1, 'syd')))
  pool.add(party('fits', 3, state(2, 'fra', 'syd')))
  pool.tick(10_000)
  expect(pool.explain('me', 12_000)).toEqual({
    ticketId: 'me',
    waitedSeconds: 12,
    rules: [
      { type: 'version', field: 'game_version', passing: 3, failing: 0 },
      { type: 'difference', field: 'mmr', passing: 2, failing: 1 },
      { type: 'region', field: 'regions', passing: 2, failing: 1 },
    ],
    fittingAll: 1,
    sampled: 3,
    missing: [{ team: 'team_2', role: null, players: 2 }],
    maxSizeDifference: null,
    nextRelaxationSeconds: 18,
  })
  expect(pool.explain('nobody', 12_000)).toBe(undefined)
})

test('a later, looser step never takes a match away', () => {
  const tickets = [0, 30, 60].map((mmr, index) => party(`t${mmr}`, index, { mmr }))
  const rule = { type: 'difference' as const, field: 'mmr', maxDifference: 10 }
  const strict = ids({ rules: [rule] }, tickets, 60_000)
  const loose = ids({ rules: [{ ...rule, expansions: [{ afterSeconds: 20, maxDifference: 40 }] }] }, tickets, 60_000)
  expect([strict.length, loose.length]).toEqual([0, 1])
})

test('it says which team lacks whom', () => {
  const config: MatchmakingConfig = { teamComposition: { monster: { monster: 1 }, hunters: { hunter: 3, medic: 1 } } }
  const pool = createPool(config)
  for (const [index, role] of ['hunter', 'medic', 'hunter', 'medic'].entries())
    pool.add(party(`t${index}`, index, { role }))
  pool.tick(1_000)
  expect(pool.explain('t0', 1_000)?.missing).toEqual([
    { team: 'monster', role: 'monster', players: 1 },
    { team: 'hunters', role: 'hunter', players: 1 },
  ])
})

test('a lobby never matched though a legal match exists: who gave way to an older one completes a match of those left', () => {
  const config: MatchmakingConfig = { ...within(12), teams: 1, playersPerTeam: 3 }
  const tickets = [
    party('oldest', 0, { mmr: 24 }),
    // This ticket does not fit the first match that the oldest finds, so it takes the place of `freed` in it.
    party('regrouped', 1, { mmr: 36 }),
    // These two then need `freed`. Both had been searched before without a match.
    party('low-1', 2, { mmr: 0 }),
    party('low-2', 3, { mmr: 0 }),
    party('freed', 4, { mmr: 12 }),
    party('with-oldest', 5, { mmr: 24 }),
  ]
  expect(ids(config, tickets)).toEqual([
    ['oldest', 'regrouped', 'with-oldest'],
    ['low-1', 'low-2', 'freed'],
  ])
})

test('a tick that stopped at a bound is due again at once, and in the end nothing is left to be found', () => {
  // Parties of two and three on teams of five: the bounded search stops before the pool is empty.
  const config = {
    teams: 2,
    playersPerTeam: 5,
    maxPartySize: 5,
    rules: [{ type: 'difference' as const, field: 'mmr', maxDifference: 400 }],
  }
  const pool = createPool(config)
  const tickets = Array.from({ length: 400 }, (_, index) => ({
    id: `t${String(index).padStart(3, '0')}`,
    enteredAt: index,
    players: Array.from({ length: 1 + (index % 4) }, (_, seat) => ({
      playerId: `p${index}-${seat}`,
      state: { mmr: 1000 + ((index * 37) % 500) },
    })),
  }))
  for (const ticket of tickets) pool.add(ticket)
  const matched = new Set<string>()
  let ticks = 0
  do {
    for (const proposal of pool.tick(1_000)) for (const id of proposal.ticketIds) matched.add(id)
    ticks++
  } while (pool.nextDueAt(1_000) === 1_000 && ticks < 100)
  expect(ticks).toBeLessThan(100)
  expect(
    findMatches(
      config,
      tickets.filter(({ id }) => !matched.has(id)),
      1_000,
    ),
  ).toEqual([])
})
