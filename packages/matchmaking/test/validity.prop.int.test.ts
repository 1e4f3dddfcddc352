import {
  anyConfig,
  anyTickets,
  completeGroupConfig,
  findFullMatch,
  POOL_NOW,
  regionOf,
  type TicketOptions,
} from '@matchyard/testkit/matchmaking'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkParty, createPool, findMatches, isValidMatch, type MatchmakingConfig, type Ticket } from '../src/index'
import { PATIENCE, rounds } from './rounds'

const options: TicketOptions = { maxTickets: 14, maxParty: 3, sharedPlayers: true }
const entering = (config: MatchmakingConfig, tickets: readonly Ticket[]) =>
  tickets.filter((ticket) => checkParty(config, ticket.players).ok)

test(
  'every proposal is valid, its region is the one that the documentation says, and no ticket is in two',
  () => {
    fc.assert(
      fc.property(anyConfig, anyTickets(options), (config, tickets) => {
        const proposals = findMatches(config, tickets, POOL_NOW)
        for (const proposal of proposals) expect(isValidMatch(config, tickets, proposal, POOL_NOW)).toBe(true)
        for (const { ticketIds, region } of proposals) {
          const members = tickets.filter(({ id }) => ticketIds.includes(id))
          expect(region).toBe(regionOf(config, members, POOL_NOW))
        }
        const ids = proposals.flatMap((proposal) => proposal.ticketIds)
        expect(new Set(ids).size).toBe(ids.length)
      }),
      { numRuns: rounds },
    )
  },
  PATIENCE,
)

test(
  'the same tickets in any order give the same proposals, in slices or at once, ids alone or whole',
  () => {
    fc.assert(
      fc.property(anyConfig, anyTickets(options), fc.infiniteStream(fc.nat()), (config, tickets, numbers) => {
        const proposals = findMatches(config, tickets, POOL_NOW)
        const shuffled = tickets
          .map((ticket) => ({ ticket, at: numbers.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ ticket }) => ticket)
        expect(findMatches(config, shuffled, POOL_NOW)).toEqual(proposals)
        const pool = createPool(config)
        for (const ticket of shuffled) pool.add(ticket)
        const steps = pool.tickSliced(POOL_NOW)
        let step = steps.next()
        while (!step.done) step = steps.next()
        expect(step.value).toEqual(proposals)
        for (const ticket of tickets) pool.add(ticket)
        const { ids, starts } = pool.tickIds(POOL_NOW)
        const flat = starts.slice(1).map((end, index) => ids.slice(starts[index], end))
        expect(flat).toEqual(proposals.map((proposal) => proposal.ticketIds))
      }),
      { numRuns: rounds },
    )
  },
  PATIENCE,
)

test(
  'a lobby never matched though a legal match exists: single players of one difference and equals, any teams',
  () => {
    const single = anyTickets({ maxTickets: 8, maxParty: 1, sharedPlayers: false })
    fc.assert(
      fc.property(completeGroupConfig, single, (config, tickets) => {
        const proposals = findMatches(config, tickets, POOL_NOW)
        const matched = new Set(proposals.flatMap((proposal) => proposal.ticketIds))
        const left = entering(config, tickets).filter((ticket) => !matched.has(ticket.id))
        expect(findFullMatch(config, left, POOL_NOW)?.map((ticket) => ticket.id)).toBe(undefined)
      }),
      { numRuns: rounds },
    )
  },
  PATIENCE,
)

test(
  'no starvation: the longest-waiting ticket that has a full match at all is in one',
  () => {
    const single = anyTickets({ maxTickets: 8, maxParty: 1, sharedPlayers: false })
    fc.assert(
      fc.property(completeGroupConfig, single, (config, tickets) => {
        const able = entering(config, tickets).sort((a, b) => a.enteredAt - b.enteredAt || (a.id < b.id ? -1 : 1))
        const first = able.find((ticket) => findFullMatch(config, able, POOL_NOW, ticket) !== undefined)
        if (!first) return
        const served = findMatches(config, tickets, POOL_NOW).flatMap((proposal) => proposal.ticketIds)
        expect(served).toContain(first.id)
      }),
      { numRuns: rounds },
    )
  },
  PATIENCE,
)
