import { anyConfig, anyTickets, POOL_NOW, type TicketOptions } from '@matchyard/testkit/matchmaking'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPool, findMatches, type MatchmakingConfig, type Ticket } from '../src/index'
import { PATIENCE, rounds } from './rounds'

/** Ticks until the pool says that no tick is due at once. Every tick but the last must have made a match, so the loop ends. */
const tickedOut = (config: MatchmakingConfig, tickets: readonly Ticket[], gone: readonly number[]): Ticket[] => {
  const pool = createPool(config)
  const waiting = new Map(tickets.map((ticket) => [ticket.id, ticket]))
  for (const ticket of tickets) pool.add(ticket)
  for (let ticks = 0; ; ticks++) {
    const proposals = pool.tick(POOL_NOW)
    for (const { ticketIds } of proposals) for (const id of ticketIds) waiting.delete(id)
    const again = pool.nextDueAt(POOL_NOW) === POOL_NOW
    if (again && ticks < gone.length) {
      // Tickets may leave between two such ticks. A removal alone makes no match possible, and must not keep the loop running.
      const id = `t${(gone[ticks] as number) % tickets.length}`
      expect(pool.remove(id)).toBe(waiting.delete(id))
    } else if (again) {
      expect(proposals.length).toBeGreaterThan(0)
    } else {
      return [...waiting.values()]
    }
  }
}

const leavesNothing = (config: fc.Arbitrary<MatchmakingConfig>, options: TicketOptions) =>
  fc.property(config, anyTickets(options), fc.array(fc.nat(), { maxLength: 3 }), (settings, tickets, gone) => {
    expect(findMatches(settings, tickedOut(settings, tickets, gone), POOL_NOW)).toEqual([])
  })

test(
  'ticked until nothing is due at once, a pool holds nothing that a fresh one would propose',
  () => {
    fc.assert(leavesNothing(anyConfig, { maxTickets: 24, maxParty: 3, sharedPlayers: true }), { numRuns: rounds })
  },
  PATIENCE,
)

test(
  'the same where the search is bounded: large teams, large parties, short matches',
  () => {
    const large = fc
      .record({
        teams: fc.integer({ min: 1, max: 3 }),
        playersPerTeam: fc.integer({ min: 4, max: 8 }),
        short: fc.boolean(),
        maxDifference: fc.integer({ min: 5, max: 40 }),
      })
      .map(({ short, maxDifference, ...shape }) => ({
        ...shape,
        ...(short ? { minTeams: 1, minPlayersPerTeam: 3, partialAfterSeconds: 20 } : {}),
        rules: [
          { type: 'difference' as const, field: 'mmr', maxDifference },
          { type: 'region' as const, minOverlap: 1 },
        ],
      }))
    fc.assert(leavesNothing(large, { maxTickets: 60, maxParty: 5, sharedPlayers: false }), {
      numRuns: Math.ceil(rounds / 50),
    })
  },
  PATIENCE,
)
