import {
  bestService,
  fullMatches,
  fullSizeOf,
  largestShortMatch,
  POOL_NOW,
  type SmallPool,
  smallPools,
} from '@matchyard/testkit/matchmaking'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkParty, findMatches, isValidMatch, type Proposal } from '../src/index'
import { PATIENCE, rounds } from './rounds'

/** Number of generated pools: 300 in an ordinary run, 3,000 in a proving run. */
const pools = Math.ceil(rounds * 0.3)
const seed = Number(process.env.MATCHYARD_SEED ?? Math.floor(Math.random() * 2 ** 31))

const playersOf = ({ teams }: Proposal): number => teams.reduce((sum, team) => sum + team.players.length, 0)

/** Checks the outcome of a tick ticket by ticket, with a search that tries all possibilities. */
const judge = ({ config, tickets }: SmallPool): void => {
  const proposals = findMatches(config, tickets, POOL_NOW)
  for (const proposal of proposals) expect(isValidMatch(config, tickets, proposal, POOL_NOW)).toBe(true)
  const able = tickets.filter((ticket) => checkParty(config, ticket.players).ok)
  const size = fullSizeOf(config)
  const full = proposals.filter((proposal) => playersOf(proposal) === size).flatMap(({ ticketIds }) => ticketIds)
  const best = bestService(able, fullMatches(config, able, POOL_NOW))
  const wanted = able.filter((_, index) => (best.byAge >> index) & 1).map(({ id }) => id)
  expect([...full].sort()).toEqual(wanted.sort())

  const short = new Map(
    proposals.filter((proposal) => playersOf(proposal) < size).map((proposal) => [proposal.ticketIds[0], proposal]),
  )
  const left = new Map(able.filter(({ id }) => !full.includes(id)).map((ticket) => [ticket.id, ticket]))
  for (const leader of [...left.values()].sort((a, b) => a.enteredAt - b.enteredAt || (a.id < b.id ? -1 : 1))) {
    if (!left.has(leader.id)) continue
    const made = short.get(leader.id)
    const largest = largestShortMatch(config, leader, [...left.values()], POOL_NOW)
    expect(made && { players: playersOf(made), teams: made.teams.length }).toEqual(largest)
    for (const id of made?.ticketIds ?? []) left.delete(id)
  }
}

test(
  `a small pool of any shape is served as an exhaustive search by age serves it (${pools} pools, seed ${seed})`,
  () => {
    fc.assert(fc.property(smallPools(), judge), { numRuns: pools, seed })
  },
  PATIENCE,
)
