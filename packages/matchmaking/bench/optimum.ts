import { availableParallelism, loadavg } from 'node:os'
import {
  anyConfig,
  anyTickets,
  bestService,
  completeGroupConfig,
  completePairConfig,
  fullMatches,
  fullSizeOf,
  POOL_NOW,
  type TicketOptions,
} from '@matchyard/testkit/matchmaking'
import fc from 'fast-check'
import { checkParty, findMatches, type MatchmakingConfig } from '../src/index'

/**
 * Compares full matches with the optimum, on generated pools that are small enough for an exhaustive search. Prints the players served, as
 * a share of the players served by an exact choice by age, and by the choice with the most players. `npm run bench -- optimum`, optionally
 * with the number of pools per row and a seed after `--`.
 */
const POOLS = Number(process.argv[2] ?? 2_000)
const SEED = Number(process.argv[3] ?? 1)
/** Most possible matches of a pool. Larger pools are left out, because the number of sets of disjoint matches grows too fast. */
const MAX_MATCHES = 60

interface Totals {
  pools: number
  served: number
  byAge: number
  most: number
  /** Number of pools in which a ticket waits that the exact choice by age serves. */
  behind: number
}

const add = (totals: Totals, config: MatchmakingConfig, tickets: Parameters<typeof findMatches>[1]): void => {
  const able = tickets.filter((ticket) => checkParty(config, ticket.players).ok)
  const matches = fullMatches(config, able, POOL_NOW)
  if (matches.length > MAX_MATCHES) return
  const best = bestService(able, matches)
  const players = new Map(able.map((ticket) => [ticket.id, ticket.players.length]))
  const full = findMatches(config, tickets, POOL_NOW).filter(
    ({ ticketIds }) => sum(ticketIds.map((id) => players.get(id) ?? 0)) === fullSizeOf(config),
  )
  const served = new Set(full.flatMap(({ ticketIds }) => ticketIds))
  const wanted = able.filter((_, index) => (best.byAge >> index) & 1)
  totals.pools++
  totals.served += sum([...served].map((id) => players.get(id) ?? 0))
  totals.byAge += sum(wanted.map((ticket) => ticket.players.length))
  totals.most += best.most
  if (wanted.some((ticket) => !served.has(ticket.id))) totals.behind++
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`

const ROWS: readonly (readonly [string, fc.Arbitrary<MatchmakingConfig>, TicketOptions])[] = [
  ['1v1, one difference, equals, version, region', completePairConfig, single(9)],
  ['any teams, single players, one difference, equals', completeGroupConfig, single(9)],
  ['all shapes, all rules, parties of up to three', anyConfig, { maxTickets: 11, maxParty: 3, sharedPlayers: true }],
]

function single(maxTickets: number): TicketOptions {
  return { maxTickets, maxParty: 1, sharedPlayers: false }
}

console.log(
  `Node ${process.version}, load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores; ${POOLS} pools a row, seed ${SEED}\n`,
)
console.log('| pools | searched | players served, of serving by age | of the most | pools behind serving by age |')
console.log('|---|---|---|---|---|')
for (const [name, config, options] of ROWS) {
  const totals: Totals = { pools: 0, served: 0, byAge: 0, most: 0, behind: 0 }
  const cases = fc.tuple(config, anyTickets(options))
  for (const [settings, tickets] of fc.sample(cases, { numRuns: POOLS, seed: SEED })) add(totals, settings, tickets)
  const { pools, served, byAge, most, behind } = totals
  console.log(
    `| ${name} | ${pools} | ${percent(served, byAge)} | ${percent(served, most)} | ${percent(behind, pools)} |`,
  )
}
