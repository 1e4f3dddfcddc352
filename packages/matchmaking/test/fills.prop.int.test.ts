import {
  anyConfig,
  anyRequests,
  anyTickets,
  bestFills,
  bestSeats,
  type LivePool,
  livePools,
  POOL_NOW,
  requestsByAge,
  type Service,
} from '@matchyard/testkit/matchmaking'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createPool,
  findMatches,
  isValidFill,
  isValidMatch,
  type MatchmakingConfig,
  type Proposal,
  type SeatRequest,
  type Ticket,
} from '../src/index'
import { PATIENCE, rounds } from './rounds'

const seed = Number(process.env.MATCHYARD_SEED ?? Math.floor(Math.random() * 2 ** 31))
const told = `(${rounds} pools, seed ${seed})`

const priority = fc.constantFrom('before' as const, 'after' as const, undefined)
/** Any queue with parties, players in several tickets, and requests. */
const anyPool = (most: number): fc.Arbitrary<LivePool> =>
  fc
    .tuple(anyConfig, priority)
    .map(([config, backfillPriority]): MatchmakingConfig => ({ ...config, backfillPriority }))
    .chain((config) =>
      fc.record({
        config: fc.constant(config),
        tickets: anyTickets({ maxTickets: most, maxParty: 3, sharedPlayers: true }),
        requests: anyRequests(config, { maxRequests: 4, maxOpen: 4 }),
      }),
    )

const isFill = ({ requestId }: Proposal): boolean => requestId !== undefined
const idsOf = (proposals: readonly Proposal[]): string[] => proposals.flatMap(({ ticketIds }) => ticketIds)
const without = (tickets: readonly Ticket[], ids: readonly string[]): Ticket[] =>
  tickets.filter(({ id }) => !ids.includes(id))

test(
  `every fill is valid, no ticket is in two proposals, no request has two fills ${told}`,
  () => {
    const judge = ({ config, tickets, requests }: LivePool): void => {
      const proposals = findMatches(config, tickets, POOL_NOW, requests)
      for (const proposal of proposals) {
        const request = requests.find(({ id }) => id === proposal.requestId)
        const verdict = request
          ? isValidFill(config, tickets, request, proposal, POOL_NOW)
          : isValidMatch(config, tickets, proposal, POOL_NOW)
        expect(verdict).toBe(true)
      }
      const ids = idsOf(proposals)
      expect(new Set(ids).size).toBe(ids.length)
      const filled = proposals.filter(isFill).map(({ requestId }) => requestId)
      expect(new Set(filled).size).toBe(filled.length)
    }
    const pools = fc.oneof(anyPool(14), livePools({ fewest: 4, most: 20 }, { maxRequests: 6, maxOpen: 6 }))
    fc.assert(fc.property(pools, judge), { numRuns: rounds, seed, endOnFailure: true })
  },
  PATIENCE,
)

test(
  `open seats before new matches, or of what new matches left ${told}`,
  () => {
    const judge = ({ config, tickets, requests }: LivePool): void => {
      const proposals = findMatches(config, tickets, POOL_NOW, requests)
      const matches = proposals.filter((one) => !isFill(one))
      const fills = proposals.filter(isFill)
      if (config.backfillPriority === 'before') {
        expect(matches).toEqual(findMatches(config, without(tickets, idsOf(fills)), POOL_NOW))
      } else {
        expect(matches).toEqual(findMatches(config, tickets, POOL_NOW))
      }
    }
    fc.assert(fc.property(anyPool(14), judge), { numRuns: rounds, seed, endOnFailure: true })
  },
  PATIENCE,
)

test(
  `the same tickets and requests in any order give the same, in slices or at once, ids alone or whole ${told}`,
  () => {
    const judge = ({ config, tickets, requests }: LivePool, numbers: fc.Stream<number>): void => {
      const shuffled = <T>(list: readonly T[]): T[] =>
        list
          .map((one) => ({ one, at: numbers.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ one }) => one)
      const proposals = findMatches(config, tickets, POOL_NOW, requests)
      expect(findMatches(config, shuffled(tickets), POOL_NOW, shuffled(requests))).toEqual(proposals)
      const pool = createPool(config)
      const fill = () => {
        for (const request of shuffled(requests)) pool.addRequest(request)
        for (const ticket of tickets) pool.add(ticket)
      }
      fill()
      const steps = pool.tickSliced(POOL_NOW)
      let step = steps.next()
      while (!step.done) step = steps.next()
      expect(step.value).toEqual(proposals)
      fill()
      const { ids, starts } = pool.tickIds(POOL_NOW)
      expect(starts.slice(1).map((end, index) => ids.slice(starts[index], end))).toEqual(
        proposals.map(({ ticketIds }) => ticketIds),
      )
    }
    fc.assert(fc.property(anyPool(14), fc.infiniteStream(fc.nat()), judge), {
      numRuns: rounds,
      seed,
      endOnFailure: true,
    })
  },
  PATIENCE,
)

/** Returns the result of a tick for requests and parties, with the tickets from which the tick could choose. */
const served = ({ config, tickets, requests }: LivePool): { service: Service; from: Ticket[] } => {
  const proposals = findMatches(config, tickets, POOL_NOW, requests)
  const fills = new Map(proposals.filter(isFill).map((fill) => [fill.requestId, fill]))
  const matched = idsOf(proposals.filter((one) => !isFill(one)))
  const byAge = (a: Ticket, b: Ticket) => a.enteredAt - b.enteredAt || (a.id < b.id ? -1 : 1)
  const seats = requestsByAge(requests).map(({ id }) =>
    (fills.get(id)?.teams ?? []).reduce((sum, { players }) => sum + players.length, 0),
  )
  const filling = idsOf([...fills.values()])
  return {
    service: {
      seats,
      tickets: tickets
        .filter(({ id }) => filling.includes(id))
        .sort(byAge)
        .map(({ id }) => id),
    },
    from: config.backfillPriority === 'before' ? [...tickets] : without(tickets, matched),
  }
}

test(
  `few tickets fill seats exactly as an exhaustive search by age fills them ${told}`,
  () => {
    const judge = (pool: LivePool): void => {
      const { service, from } = served(pool)
      expect(service).toEqual(bestFills(pool.config, from, pool.requests, POOL_NOW))
    }
    fc.assert(fc.property(livePools({ fewest: 2, most: 8 }, { maxRequests: 4, maxOpen: 3 }), judge), {
      numRuns: rounds,
      seed,
      endOnFailure: true,
    })
  },
  PATIENCE,
)

test(
  `one seat each: requests by age, then tickets by age, and nobody waits in vain ${told}`,
  () => {
    const judge = (pool: LivePool): void => {
      const { service, from } = served(pool)
      expect(service).toEqual(bestSeats(pool.config, from, pool.requests, POOL_NOW))
    }
    fc.assert(fc.property(livePools({ fewest: 8, most: 16 }, { maxRequests: 10, maxOpen: 1 }), judge), {
      numRuns: rounds,
      seed,
      endOnFailure: true,
    })
  },
  PATIENCE,
)

type Step =
  | { readonly do: 'add' | 'remove' | 'ask' | 'withdraw'; readonly index: number }
  | { readonly do: 'update'; readonly index: number; readonly from: number }
  | { readonly do: 'tick'; readonly after: number }

const history = (tickets: number, requests: number): fc.Arbitrary<Step[]> => {
  const some = <T extends Step['do']>(what: T, count: number) =>
    fc.record({ do: fc.constant(what), index: fc.nat(Math.max(0, count - 1)) })
  return fc.array(
    fc.oneof(
      { weight: 4, arbitrary: some('add', tickets) },
      { weight: 1, arbitrary: some('remove', tickets) },
      { weight: 3, arbitrary: some('ask', requests) },
      { weight: 1, arbitrary: some('withdraw', requests) },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constant('update' as const),
          index: fc.nat(Math.max(0, tickets - 1)),
          from: fc.nat(Math.max(0, tickets - 1)),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({ do: fc.constant('tick' as const), after: fc.constantFrom(0, 0, 5_000, 15_000, -7_000) }),
      },
    ),
    { maxLength: 50, size: 'max' },
  )
}

test(
  `any history of tickets, requests and ticks gives the proposals of a fresh pool ${told}`,
  () => {
    const judge = ({ config, tickets, requests }: LivePool, steps: readonly Step[]): void => {
      if (tickets.length === 0 || requests.length === 0) return
      const pool = createPool(config)
      const waiting = new Map<string, Ticket>()
      const asking = new Map<string, SeatRequest>()
      let now = POOL_NOW
      for (const step of steps) {
        if (step.do === 'tick') {
          now += step.after
          const proposals = pool.tick(now)
          expect(proposals).toEqual(findMatches(config, [...waiting.values()], now, [...asking.values()]))
          for (const id of idsOf(proposals)) waiting.delete(id)
          for (const { requestId } of proposals) if (requestId !== undefined) asking.delete(requestId)
          expect(pool.size).toBe(waiting.size)
        } else if (step.do === 'ask' || step.do === 'withdraw') {
          const request = requests[step.index] as SeatRequest
          if (step.do === 'withdraw') expect(pool.removeRequest(request.id)).toBe(asking.delete(request.id))
          else {
            pool.addRequest(request)
            asking.set(request.id, request)
          }
          expect(pool.hasRequest(request.id)).toBe(asking.has(request.id))
        } else {
          const ticket = tickets[step.index] as Ticket
          if (step.do === 'remove') expect(pool.remove(ticket.id)).toBe(waiting.delete(ticket.id))
          else {
            const from = step.do === 'update' ? (tickets[step.from] as Ticket) : ticket
            const changed = { ...ticket, players: from.players }
            waiting.set(ticket.id, changed)
            pool.update(changed)
          }
        }
      }
    }
    const pools = fc.oneof(anyPool(24), livePools({ fewest: 4, most: 16 }, { maxRequests: 6, maxOpen: 3 }))
    const cases = pools.chain((pool) => fc.tuple(fc.constant(pool), history(pool.tickets.length, pool.requests.length)))
    fc.assert(
      fc.property(cases, ([pool, steps]) => judge(pool, steps)),
      { numRuns: rounds, seed, endOnFailure: true },
    )
  },
  PATIENCE,
)
