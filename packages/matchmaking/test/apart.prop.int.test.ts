import {
  areApart,
  bestService,
  fullMatches,
  fullSizeOf,
  largestShortMatch,
  livePools,
  POOL_NOW,
  RULE_ARBITRARIES,
  type SmallPool,
  smallPools,
} from '@matchyard/testkit/matchmaking'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  checkParty,
  createPool,
  findMatches,
  isValidFill,
  isValidMatch,
  type Proposal,
  type Ticket,
} from '../src/index'
import { PATIENCE, rounds } from './rounds'

const seed = Number(process.env.MATCHYARD_SEED ?? Math.floor(Math.random() * 2 ** 31))
/** Number of generated pools: 150 in an ordinary run, 1,500 in a proving run. */
const pools = Math.ceil(rounds * 0.15)

const apartRule = fc.oneof(RULE_ARBITRARIES.avoid, RULE_ARBITRARIES.recent_opponents)

/** Adds rules that keep players apart to generated queues, and leaves at most one rule of another type. */
const withApart = <P extends SmallPool>(from: fc.Arbitrary<P>): fc.Arbitrary<P> =>
  fc.tuple(from, fc.array(apartRule, { minLength: 1, maxLength: 2 }), fc.nat(1)).map(([pool, apart, others]) => ({
    ...pool,
    config: { ...pool.config, rules: [...(pool.config.rules ?? []).slice(0, others), ...apart] },
  }))

const playersOf = ({ teams }: Proposal): number => teams.reduce((sum, team) => sum + team.players.length, 0)

/** Checks the outcome of a tick ticket by ticket, with a search that tries all possibilities. */
const judge = ({ config, tickets }: SmallPool): void => {
  const proposals = findMatches(config, tickets, POOL_NOW)
  const able = tickets.filter((ticket) => checkParty(config, ticket.players).ok)
  const size = fullSizeOf(config)
  const full = proposals.filter((proposal) => playersOf(proposal) === size).flatMap(({ ticketIds }) => ticketIds)
  const best = bestService(able, fullMatches(config, able, POOL_NOW))
  const wanted = able.filter((_, index) => (best.byAge >> index) & 1).map(({ id }) => id)
  expect([...full].sort()).toEqual(wanted.sort())
  const left = new Map(able.filter(({ id }) => !full.includes(id)).map((ticket) => [ticket.id, ticket]))
  const byAge = (a: Ticket, b: Ticket) => a.enteredAt - b.enteredAt || (a.id < b.id ? -1 : 1)
  for (const leader of [...left.values()].sort(byAge)) {
    if (!left.has(leader.id)) continue
    const made = proposals.find((one) => playersOf(one) < size && one.ticketIds[0] === leader.id)
    const largest = largestShortMatch(config, leader, [...left.values()], POOL_NOW)
    expect(made && { players: playersOf(made), teams: made.teams.length }).toEqual(largest)
    for (const id of made?.ticketIds ?? []) left.delete(id)
  }
}

test(
  `up to twelve tickets that must not all meet are served as an exhaustive search serves them (${pools} pools, seed ${seed})`,
  () => {
    fc.assert(fc.property(withApart(smallPools()), judge), { numRuns: pools, seed, endOnFailure: true })
  },
  PATIENCE,
)

test(
  `nobody meets a player whom they avoid or met, in matches and in open seats (seed ${seed})`,
  () => {
    const live = livePools({ fewest: 4, most: 20 }, { maxRequests: 6, maxOpen: 4 })
    fc.assert(
      fc.property(withApart(live), ({ config, tickets, requests }) => {
        for (const proposal of findMatches(config, tickets, POOL_NOW, requests)) {
          const request = requests.find(({ id }) => id === proposal.requestId)
          const members = tickets.filter(({ id }) => proposal.ticketIds.includes(id))
          expect(areApart(config, members, proposal, POOL_NOW, request)).toBe(true)
          const verdict = request
            ? isValidFill(config, tickets, request, proposal, POOL_NOW)
            : isValidMatch(config, tickets, proposal, POOL_NOW)
          expect(verdict).toBe(true)
        }
      }),
      { numRuns: rounds, seed, endOnFailure: true },
    )
  },
  PATIENCE,
)

test(
  `a pool ticks when players may meet again, and then proposes what a fresh one does (seed ${seed})`,
  () => {
    const live = livePools({ fewest: 4, most: 20 }, { maxRequests: 4, maxOpen: 3 })
    fc.assert(
      fc.property(withApart(live), ({ config, tickets, requests }) => {
        const pool = createPool(config)
        for (const ticket of tickets) pool.add(ticket)
        for (const request of requests) pool.addRequest(request)
        const waiting = new Map(tickets.map((ticket) => [ticket.id, ticket]))
        const asking = new Map(requests.map((request) => [request.id, request]))
        for (let now: number | undefined = POOL_NOW, ticks = 0; now !== undefined && ticks < 60; ticks++) {
          const fresh = () => findMatches(config, [...waiting.values()], now as number, [...asking.values()])
          const proposals = pool.tick(now)
          expect(proposals).toEqual(fresh())
          for (const { ticketIds, requestId } of proposals) {
            for (const id of ticketIds) waiting.delete(id)
            if (requestId !== undefined) asking.delete(requestId)
          }
          const due = pool.nextDueAt(now)
          // One millisecond before the next due time, a fresh pool finds nothing new.
          if (due !== now) {
            now = due === undefined ? now + 600_000 : due - 1
            expect(fresh()).toEqual([])
          }
          now = due
        }
      }),
      { numRuns: rounds, seed, endOnFailure: true },
    )
  },
  PATIENCE,
)

/** Shapes of larger pools: teams, players of a team, tickets, ids in each list, and players that lists are drawn of. */
const LARGE = [
  [2, 1, 200, 5, 200],
  [2, 2, 100, 5, 200],
  [2, 5, 100, 5, 200],
  [2, 5, 300, 5, 300],
] as const

test.each(LARGE)(
  `of larger pools, 99 in 100 of the tickets that fill matches are served: %i x %i, %i tickets (seed ${seed})`,
  (teams, playersPerTeam, count, names, of) => {
    const size = teams * playersPerTeam
    const lists = fc.array(fc.array(fc.nat(of - 1), { minLength: names, maxLength: names }), {
      ...{ minLength: count, maxLength: count },
    })
    let served = 0
    let most = 0
    for (const drawn of fc.sample(lists, { numRuns: 20, seed })) {
      const tickets = drawn.map((list, index) => ({
        id: `t${index}`,
        enteredAt: index,
        players: [{ playerId: `p${index}`, state: { avoid: list.map((at) => `p${at}`) } }],
      }))
      served += findMatches({ teams, playersPerTeam, rules: [{ type: 'avoid' }] }, tickets, POOL_NOW).length * size
      most += count - (count % size)
    }
    expect(served / most).toBeGreaterThanOrEqual(0.99)
  },
  PATIENCE,
)
