import { expect, test } from 'vitest'
import {
  type AvoidRule,
  checkParty,
  createPool,
  explain,
  fieldsRead,
  findMatches,
  isValidFill,
  isValidMatch,
  type MatchmakingConfig,
  privateFields,
  type RecentOpponentsRule,
  type SeatRequest,
  type Ticket,
  type TicketPlayer,
  validateConfig,
} from '../src/index'
import { play } from '../src/simulation/index'

const player = (playerId: string, avoid: unknown = [], met: TicketPlayer['recent'] = []): TicketPlayer => ({
  playerId,
  state: { avoid },
  recent: met,
})
const ticket = (id: string, enteredAt: number, ...players: readonly TicketPlayer[]): Ticket => ({
  id,
  enteredAt,
  players,
})
const idsOf = (config: MatchmakingConfig, tickets: readonly Ticket[], now: number) =>
  findMatches(config, tickets, now).map(({ ticketIds }) => ticketIds)
const avoid = (rule: Partial<AvoidRule> = {}): MatchmakingConfig => ({ rules: [{ type: 'avoid', ...rule }] })
const recent = (rule: Partial<RecentOpponentsRule> = {}): MatchmakingConfig => ({
  rules: [{ type: 'recent_opponents', ...rule }],
})

test('one list is enough to keep two players apart, and the own id in it is ignored', () => {
  const tickets = [
    ticket('a', 1, player('ann', ['ann', 'bob'])),
    ticket('b', 2, player('bob')),
    ticket('c', 3, player('eve', ['eve'])),
  ]
  expect(idsOf(avoid(), tickets, 10)).toEqual([['a', 'c']])
  expect(idsOf(avoid(), tickets.slice(0, 2), 10)).toEqual([])
})

test('a list that is on teams keeps two players in different teams', () => {
  const config = { ...avoid({ scope: 'team' }), playersPerTeam: 2 }
  const all = ['bob', 'cat', 'dan']
  const tickets = [
    ticket('a', 1, player('ann', ['bob', 'cat'])),
    ...all.map((id, at) => ticket(id, at + 2, player(id))),
  ]
  const [match] = findMatches(config, tickets, 10)
  expect(
    match?.teams.find(({ players }) => players.some(({ playerId }) => playerId === 'ann'))?.players,
  ).toContainEqual({ playerId: 'dan', ticketId: 'dan', role: null })
  const apart = [ticket('a', 1, player('ann', all)), ...tickets.slice(1)]
  expect(findMatches(config, apart, 10)).toEqual([])
  expect(isValidMatch(config, apart, match as never, 10)).toBe('rule avoid in a team')
  expect(idsOf({ ...config, teams: 1 }, tickets.slice(0, 3), 10)).toEqual([['bob', 'cat']])
})

test('a party whose players avoid each other never matches, and the refusal shows no list', () => {
  const party = [player('ann', ['bob', 'secret']), player('bob')]
  const config = { ...avoid({ field: 'blocked', expansions: [{ afterSeconds: 9, off: true }] }), playersPerTeam: 2 }
  const blocking = party.map((one) => ({ ...one, state: { blocked: one.state.avoid } }))
  expect(checkParty({ ...avoid(), playersPerTeam: 2 }, party)).toEqual({
    ok: false,
    code: 'PARTY_CANNOT_MATCH',
    rule: 'avoid',
    field: 'avoid',
  })
  expect(checkParty(config, blocking)).toEqual({ ok: true })
  const tickets = [ticket('a', 0, ...blocking), ticket('b', 1, player('eve'), player('joe'))]
  expect(idsOf(config, tickets, 8_999)).toEqual([])
  expect(idsOf(config, tickets, 9_000)).toEqual([['a', 'b']])
})

test.each([['bob'], [['bob', 7]], [Array.from({ length: 51 }, (_, at) => `p${at}`)], [{ bob: true }]])(
  'a value that is no list of at most 50 ids refuses the party, also where the rule turns off: %j',
  (list) => {
    const config = avoid({ expansions: [{ afterSeconds: 1, off: true }] })
    const wants = 'a list of at most 50 player ids'
    const fault = { rule: 'avoid', field: 'avoid', playerId: 'ann', wants }
    expect(checkParty(config, [player('ann', list)])).toEqual({ ok: false, code: 'PARTY_CANNOT_MATCH', ...fault })
    expect(checkParty(config, [player('ann', null)])).toEqual({ ok: true })
  },
)

const met = (playerId: string, at: number, opponent = true) => ({ playerId, at, opponent })

test('opponents of a recent match meet again exactly when its seconds have passed, which a pool knows', () => {
  const pool = createPool(recent({ seconds: 30 }))
  pool.add(ticket('a', 50_000, player('ann', [], [met('bob', 40_000)])))
  pool.add(ticket('b', 51_000, player('bob')))
  expect(pool.tick(69_999)).toEqual([])
  expect(pool.nextDueAt(69_999)).toBe(70_000)
  expect(pool.tick(70_000).map(({ ticketIds }) => ticketIds)).toEqual([['a', 'b']])
  const far = [ticket('a', 0, player('ann', [], [met('bob', 0)])), ticket('b', 0, player('bob'))]
  expect(idsOf(recent(), far, 599_999)).toEqual([])
  expect(idsOf(recent(), far, 600_000)).toEqual([['a', 'b']])
})

test('a wait loosens the seconds', () => {
  const config = recent({ seconds: 600, expansions: [{ afterSeconds: 10, seconds: 20 }] })
  const tickets = [ticket('a', 0, player('ann', [], [met('bob', -15_000)])), ticket('b', 0, player('bob'))]
  expect(idsOf(config, tickets, 9_999)).toEqual([])
  expect(idsOf(config, tickets, 10_000)).toEqual([['a', 'b']])
})

test('former opponents are no team mates either, former team mates may meet unless the rule is on anyone', () => {
  const tickets = (opponent: boolean) => [
    ticket('a', 0, player('ann', [], [met('bob', 0, opponent)])),
    ...['bob', 'cat', 'dan'].map((id) => ticket(id, 1, player(id))),
  ]
  expect(idsOf({ ...recent(), playersPerTeam: 2 }, tickets(true), 10)).toEqual([])
  expect(idsOf({ ...recent(), playersPerTeam: 2 }, tickets(false), 10)).toHaveLength(1)
  expect(idsOf({ ...recent({ scope: 'anyone' }), playersPerTeam: 2 }, tickets(false), 10)).toEqual([])
})

test('the players of one party are not kept apart by the matches that they played against each other', () => {
  const party = [player('ann', [], [met('bob', 0)]), player('bob', [], [met('ann', 0)])]
  const config = { ...recent(), playersPerTeam: 2 }
  expect(checkParty(config, party)).toEqual({ ok: true })
  expect(idsOf(config, [ticket('a', 0, ...party), ticket('b', 0, player('eve'), player('joe'))], 10)).toHaveLength(1)
})

const request = (...players: readonly TicketPlayer[]): SeatRequest => ({
  id: 'match',
  requestedAt: 0,
  players: players.map((one, at) => ({ ...one, team: `team_${(at % 2) + 1}`, role: null })),
  teams: [{ name: 'team_2', open: 1, roles: null }],
  region: 'iad',
  version: null,
})

test('a seat goes to nobody who avoids or recently met a present player, and present players stay together', () => {
  const config: MatchmakingConfig = {
    playersPerTeam: 2,
    backfillPriority: 'before',
    rules: [{ type: 'avoid' }, { type: 'recent_opponents' }],
  }
  const asking = request(player('ann', ['avoided'], [met('bob', 0)]), player('bob'), player('cat'))
  const seats = (...players: readonly TicketPlayer[]) =>
    findMatches(
      config,
      players.map((one, at) => ticket(`t${at}`, at, one)),
      10,
      [asking],
    ).flatMap(({ teams }) => teams.flatMap((team) => team.players.map(({ playerId }) => playerId)))
  expect(seats(player('avoided'), player('x', ['cat']), player('y', [], [met('cat', 0)]), player('eve'))).toEqual([
    'eve',
  ])
  const pool = createPool(config)
  pool.addRequest(asking)
  pool.add(ticket('y', 1, player('y', [], [met('cat', 0)])))
  expect(pool.tick(10)).toEqual([])
  expect(pool.nextDueAt(10)).toBe(600_000)
  const [fill] = pool.tick(600_000)
  expect(fill?.ticketIds).toEqual(['y'])
  expect(isValidFill(config, [ticket('y', 1, player('y', [], [met('cat', 0)]))], asking, fill as never, 10)).toBe(
    'rule recent_opponents',
  )
})

test('an open seat of a team goes to nobody whom a present player of that team avoids', () => {
  const config = { playersPerTeam: 2, ...avoid({ scope: 'team' }) }
  const waiting = ['one', 'two'].map((id, at) => ticket(id, at, player(id)))
  const filled = (asking: SeatRequest) =>
    findMatches(config, waiting, 10, [asking]).flatMap(({ ticketIds }) => ticketIds)
  expect(filled(request(player('ann', ['one']), player('bob'), player('cat')))).toEqual(['one'])
  expect(filled(request(player('ann'), player('bob', ['one']), player('cat')))).toEqual(['two'])
})

test('an explanation counts the parties that a rule keeps apart; a rule on recent matches reads no field', () => {
  const config: MatchmakingConfig = { rules: [{ type: 'avoid' }, { type: 'recent_opponents' }] }
  const tickets = [
    ticket('a', 0, player('ann', [], [met('eve', 0)])),
    ticket('b', 1, player('bob', ['ann'])),
    ticket('c', 2, player('eve', ['bob'])),
  ]
  expect(findMatches(config, tickets, 10)).toEqual([])
  expect(explain(config, tickets, 'a', 10)).toMatchObject({
    rules: [
      { type: 'avoid', field: 'avoid', passing: 1, failing: 1 },
      { type: 'recent_opponents', field: null, passing: 1, failing: 1 },
    ],
    fittingAll: 0,
  })
})

test('settings have bounds, and the list of a player is a private field', () => {
  expect(validateConfig({ ...avoid({ scope: 'team' }) })).toEqual([])
  expect(validateConfig(recent({ seconds: 86_400, scope: 'anyone' }))).toEqual([])
  const paths = (config: MatchmakingConfig) => validateConfig(config).map(({ path }) => path.join('.'))
  expect(paths(avoid({ field: '' }))).toEqual(['rules.0.field'])
  expect(paths(avoid({ scope: 'anyone' as never }))).toEqual(['rules.0.scope'])
  for (const seconds of [0, 86_401, 1.5]) expect(paths(recent({ seconds }))).toEqual(['rules.0.seconds'])
  expect(paths(recent({ expansions: [{ afterSeconds: 1, seconds: 601 }] }))).toEqual(['rules.0.expansions.0'])
  expect(paths(avoid({ expansions: [{ afterSeconds: 1, seconds: 5 }] }))).toEqual(['rules.0.expansions.0'])
  const both: MatchmakingConfig = { rules: [{ type: 'avoid' }, { type: 'recent_opponents' }] }
  expect([fieldsRead(both), privateFields(both)]).toEqual([['avoid'], ['avoid']])
})

test('a simulation keeps the opponents of its own matches apart', async () => {
  const scenario = (seconds: number) => ({
    ...{ name: 'rematch', seed: 1, timeoutSeconds: 60, tickSeconds: 0.05, spanSeconds: 100 },
    config: recent({ seconds }),
  })
  const start = Date.UTC(2026, 0, 1)
  const arrivals = [0, 1, 100, 101].map((at) =>
    ticket(`t${at}`, start + at * 1_000, player(at % 2 === 0 ? 'ann' : 'bob')),
  )
  expect((await play(scenario(60), arrivals)).matches).toBe(2)
  expect((await play(scenario(600), arrivals)).matches).toBe(1)
})
