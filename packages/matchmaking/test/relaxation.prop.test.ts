import { anyTickets, completePairConfig, POOL_NOW } from '@matchyard/testkit/matchmaking'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPool, findMatches, type MatchmakingConfig } from '../src/index'
import { PATIENCE, rounds } from './rounds'

const withoutSteps = (config: MatchmakingConfig): MatchmakingConfig => ({
  ...config,
  rules: (config.rules ?? []).map((rule) => ({ ...rule, expansions: [] })),
})
const served = (config: MatchmakingConfig, tickets: Parameters<typeof findMatches>[1], now: number) =>
  findMatches(config, tickets, now).flatMap((proposal) => proposal.ticketIds)

test(
  'relaxation is monotone: steps, and time, never serve fewer pairs',
  () => {
    const exact = completePairConfig.filter((config) => config.rules?.every((rule) => rule.type !== 'region') === true)
    fc.assert(
      fc.property(
        exact,
        anyTickets({ maxTickets: 12, maxParty: 1, sharedPlayers: true }),
        fc.nat(60_000),
        (config, tickets, later) => {
          const now = served(config, tickets, POOL_NOW).length
          expect(now).toBeGreaterThanOrEqual(served(withoutSteps(config), tickets, POOL_NOW).length)
          expect(served(config, tickets, POOL_NOW + later).length).toBeGreaterThanOrEqual(now)
        },
      ),
      { numRuns: rounds },
    )
  },
  PATIENCE,
)

test(
  'a pool says when time alone can change the outcome: until then a tick finds nothing',
  () => {
    fc.assert(
      fc.property(
        completePairConfig,
        anyTickets({ maxTickets: 12, maxParty: 1, sharedPlayers: true }),
        (config, tickets) => {
          const pool = createPool(config)
          for (const ticket of tickets) pool.add(ticket)
          pool.tick(POOL_NOW)
          const due = pool.nextDueAt(POOL_NOW)
          expect(due === undefined || due > POOL_NOW).toBe(true)
          expect(pool.tick((due ?? POOL_NOW + 1e9) - 1)).toEqual([])
        },
      ),
      { numRuns: rounds },
    )
  },
  PATIENCE,
)
