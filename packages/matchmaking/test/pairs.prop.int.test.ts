import {
  anyTickets,
  bestService,
  completePairConfig,
  findFullMatch,
  fullMatches,
  POOL_NOW,
} from '@matchyard/testkit/matchmaking'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkParty, findMatches, isValidMatch, type MatchmakingConfig, type Ticket } from '../src/index'
import { PATIENCE, rounds } from './rounds'

const onePlayer = anyTickets({ maxTickets: 9, maxParty: 1, sharedPlayers: false })
const entering = (config: MatchmakingConfig, tickets: readonly Ticket[]) =>
  tickets.filter((ticket) => checkParty(config, ticket.players).ok)

test(
  'a lobby never matched though a legal match exists: no pair remains among the tickets left over',
  () => {
    fc.assert(
      fc.property(completePairConfig, onePlayer, (config, tickets) => {
        const proposals = findMatches(config, tickets, POOL_NOW)
        for (const proposal of proposals) expect(isValidMatch(config, tickets, proposal, POOL_NOW)).toBe(true)
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
  'pairs serve by age exactly, and so the most: one difference, equals, version',
  () => {
    const exact = completePairConfig.filter((config) => config.rules?.every((rule) => rule.type !== 'region') === true)
    fc.assert(
      fc.property(exact, anyTickets({ maxTickets: 8, maxParty: 1, sharedPlayers: true }), (config, tickets) => {
        const able = entering(config, tickets)
        const best = bestService(able, fullMatches(config, able, POOL_NOW))
        const served = new Set(
          findMatches(config, tickets, POOL_NOW)
            .filter((proposal) => proposal.ticketIds.length === 2)
            .flatMap((proposal) => proposal.ticketIds),
        )
        const wanted = able.filter((_, index) => (best.byAge >> index) & 1).map((ticket) => ticket.id)
        expect([...served].sort()).toEqual(wanted.sort())
        expect(wanted.length).toBe(best.most)
      }),
      { numRuns: rounds },
    )
  },
  PATIENCE,
)
