import { anyConfig, anyTickets, completePairConfig, POOL_NOW } from '@matchyard/testkit/matchmaking'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPool, findMatches, type MatchmakingConfig, type Ticket } from '../src/index'
import { PATIENCE, rounds } from './rounds'

/** Events of a pool: tickets arrive, leave and change; time passes, or is sometimes set back, and a tick runs. */
const steps = (tickets: readonly Ticket[]) =>
  fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ do: fc.constant('add' as const), index: fc.nat(Math.max(0, tickets.length - 1)) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant('remove' as const), index: fc.nat(Math.max(0, tickets.length - 1)) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constant('update' as const),
          index: fc.nat(Math.max(0, tickets.length - 1)),
          from: fc.nat(Math.max(0, tickets.length - 1)),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant('tick' as const), after: fc.constantFrom(0, 0, 5_000, 15_000, -7_000) }),
      },
    ),
    { maxLength: 40, size: 'max' },
  )

const holds = (config: fc.Arbitrary<MatchmakingConfig>, maxParty: number) =>
  fc.property(
    config,
    anyTickets({ maxTickets: 24, maxParty, sharedPlayers: true }).chain((tickets) =>
      fc.tuple(fc.constant(tickets), steps(tickets)),
    ),
    (settings, [tickets, history]) => {
      if (tickets.length === 0) return
      const pool = createPool(settings)
      const waiting = new Map<string, Ticket>()
      let now = POOL_NOW
      for (const step of history) {
        if (step.do === 'tick') {
          now += step.after
          const fresh = findMatches(settings, [...waiting.values()], now)
          const proposals = pool.tick(now)
          expect(proposals).toEqual(fresh)
          for (const { ticketIds } of proposals) for (const id of ticketIds) waiting.delete(id)
          expect(pool.size).toBe(waiting.size)
          continue
        }
        const ticket = tickets[step.index] as Ticket
        if (step.do === 'remove') {
          expect(pool.remove(ticket.id)).toBe(waiting.delete(ticket.id))
        } else {
          const changed = step.do === 'add' ? ticket : { ...ticket, players: (tickets[step.from] as Ticket).players }
          waiting.set(ticket.id, changed)
          if (step.do === 'add') pool.add(changed)
          else pool.update(changed)
        }
      }
    },
  )

test(
  'any history of a pool of pairs gives the proposals of a fresh one',
  () => {
    fc.assert(holds(completePairConfig, 1), { numRuns: rounds })
  },
  PATIENCE,
)

test(
  'any history of any pool gives the proposals of a fresh one',
  () => {
    fc.assert(holds(anyConfig, 3), { numRuns: rounds })
  },
  PATIENCE,
)
