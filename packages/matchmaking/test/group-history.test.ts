import { expect, test } from 'vitest'
import { createPool, findMatches, isValidMatch, type MatchmakingConfig, type Ticket } from '../src/index'
import { PATIENCE, rounds } from './rounds'

const draws = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 4294967296
}
const REGIONS = ['ams', 'fra', 'iad', 'sin'] as const
const ROLES = ['tank', 'healer', 'dps'] as const

const steps = [
  { afterSeconds: 10, maxDifference: 200 },
  { afterSeconds: 20, maxDifference: 400 },
]
const rating = { type: 'difference' as const, field: 'mmr', maxDifference: 100, expansions: steps }
const team = { tank: 1, healer: 1, dps: 1 }

/** Matches of several parties. The pools are too large for the exact search, and small enough to be regrouped. */
const CONFIGS: Readonly<Record<string, MatchmakingConfig>> = {
  'parties, rating and region': { playersPerTeam: 5, rules: [rating, { type: 'region' }] },
  'two regions in common': { playersPerTeam: 3, rules: [rating, { type: 'region', minOverlap: 2 }] },
  'what all have earned': { playersPerTeam: 4, expansionAge: 'newest', rules: [rating, { type: 'region' }] },
  'short matches': {
    ...{ teams: 3, playersPerTeam: 3, minTeams: 2, minPlayersPerTeam: 2, partialAfterSeconds: 8 },
    rules: [rating, { type: 'region' }],
  },
  roles: { teamComposition: { red: team, blue: team }, rules: [rating] },
  'single players': { playersPerTeam: 4, maxPartySize: 1, rules: [rating] },
  'values that some lack, and a rule that turns off': {
    playersPerTeam: 3,
    rules: [rating, { type: 'equals', field: 'mode', expansions: [{ afterSeconds: 15, off: true }] }],
  },
  'players who avoid each other': { playersPerTeam: 2, rules: [rating, { type: 'avoid' }] },
  'no order': { playersPerTeam: 4, rules: [{ type: 'region' }, { type: 'not_equals', field: 'mmr' }] },
}
/** Number of ticks in each history; each tick is compared with that of a fresh pool. */
const TICKS = Math.ceil(Math.min(rounds, 10_000) * 0.12)

test.each(Object.entries(CONFIGS))(
  'a pool that ticks whenever somebody comes or relaxes proposes what a fresh one does: %s',
  (name, config) => {
    const draw = draws(name.length + 3)
    const pick = <T>(from: readonly T[]) => from[Math.floor(draw() * from.length)] as T
    const pool = createPool(config)
    const waiting = new Map<string, Ticket>()
    let now = 1_000_000
    let made = 0
    let matched = 0
    const state = () => ({
      ...(draw() < 0.95 ? { mmr: Math.floor(1_500 + (draw() + draw() + draw() - 1.5) * 600) } : {}),
      ...(draw() < 0.9 ? { mode: pick(['a', 'b']) } : {}),
      regions: [pick(REGIONS), pick(REGIONS), pick(REGIONS)],
      avoid: [`t${Math.floor(draw() * (made + 1))}p0`, `t${Math.max(0, made - 3)}p0`],
      roles: draw() < 0.5 ? [pick(ROLES)] : [pick(ROLES), pick(ROLES)],
    })
    const enter = () => {
      const id = `t${made++}`
      const first = state()
      const size = config.maxPartySize === 1 ? 1 : pick([1, 1, 1, 2, 2, 3])
      const players = Array.from({ length: size }, (_, player) => ({
        playerId: `${id}p${player}`,
        state: player === 0 ? first : { ...state(), mmr: first.mmr, mode: first.mode, regions: first.regions },
      }))
      const ticket = { id, enteredAt: now - Math.floor(draw() * 500), players }
      waiting.set(id, ticket)
      pool.add(ticket)
    }
    for (let tick = 0; tick < TICKS; tick++) {
      const fresh = findMatches(config, [...waiting.values()], now)
      const all = [...waiting.values()]
      const proposals = pool.tick(now)
      expect(proposals).toEqual(fresh)
      for (const proposal of proposals) {
        expect(isValidMatch(config, all, proposal, now)).toBe(true)
        for (const id of proposal.ticketIds) waiting.delete(id)
      }
      matched += proposals.length
      if (draw() < 0.1 && waiting.size > 0) {
        const id = pick([...waiting.keys()])
        expect(pool.remove(id)).toBe(waiting.delete(id))
      }
      // Above 60 waiting tickets none arrives and ten leave, so that the pool stays small.
      const coming = waiting.size > 60 ? 0 : draw() < 0.8 ? 1 : pick([0, 2, 3])
      for (let count = 0; count < coming; count++) enter()
      now = coming === 0 ? (pool.nextDueAt(now) ?? now + 100) : now + Math.floor(draw() * 400)
      for (const ticket of waiting.size > 60 ? [...waiting.values()].slice(0, 10) : []) {
        waiting.delete(ticket.id)
        pool.remove(ticket.id)
      }
    }
    expect(matched).toBeGreaterThan(TICKS / 100)
  },
  PATIENCE,
)
