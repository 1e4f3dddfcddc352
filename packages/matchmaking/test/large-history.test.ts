import { expect, test } from 'vitest'
import { createPool, findMatches, type MatchmakingConfig, type Ticket } from '../src/index'

const draws = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 4294967296
}
const REGIONS = ['ams', 'fra', 'iad', 'sin', 'syd', 'gru'] as const

/** Pools that are large enough for every code path of the sort, the sweep, and the removal of tickets. */
const CONFIGS: Readonly<Record<string, MatchmakingConfig>> = {
  'three rules': {
    useVersionFromState: true,
    rules: [{ type: 'difference', field: 'mmr', maxDifference: 20 }, { type: 'region' }],
  },
  'difference alone': { rules: [{ type: 'difference', field: 'mmr', maxDifference: 0.5 }] },
  'a difference that relaxes, and equals that turns off': {
    rules: [
      { type: 'difference', field: 'mmr', maxDifference: 0.1, expansions: [{ afterSeconds: 10, maxDifference: 1 }] },
      { type: 'equals', field: 'game_version', expansions: [{ afterSeconds: 30, off: true }] },
    ],
  },
  'no rule that orders': { rules: [{ type: 'equals', field: 'mmr' }, { type: 'region' }] },
}

for (const [name, config] of Object.entries(CONFIGS)) {
  test(`a large pool that fills, drains and fills again proposes what a fresh one does: ${name}`, () => {
    const draw = draws(name.length)
    const pool = createPool(config)
    const waiting = new Map<string, Ticket>()
    let made = 0
    let now = 1_000_000
    const enter = (count: number, inOrder: boolean) => {
      for (let index = 0; index < count; index++) {
        const id = `t${made++}`
        const regions = [REGIONS[Math.floor(draw() * 6)] as string, REGIONS[Math.floor(draw() * 6)] as string]
        const mmr = name === 'no rule that orders' ? Math.floor(draw() * 900) : draw() * 3000
        const state = { mmr, game_version: `v${Math.floor(draw() * 3)}`, regions }
        const enteredAt = inOrder ? now : now - Math.floor(draw() * 20_000)
        const ticket = { id, enteredAt, players: [{ playerId: `p${Math.floor(draw() * 50_000)}`, state }] }
        waiting.set(id, ticket)
        pool.add(ticket)
      }
    }
    const leave = (share: number) => {
      for (const id of [...waiting.keys()]) {
        if (draw() >= share) continue
        waiting.delete(id)
        pool.remove(id)
      }
    }
    let matched = 0
    const tick = () => {
      const fresh = findMatches(config, [...waiting.values()], now)
      const proposals = pool.tick(now)
      expect(proposals).toEqual(fresh)
      for (const { ticketIds } of proposals) for (const id of ticketIds) waiting.delete(id)
      matched += proposals.length
      expect(pool.size).toBe(waiting.size)
      now += 4_000
    }
    enter(6_000, true)
    tick()
    enter(50, true)
    tick()
    leave(0.5)
    enter(3_000, false)
    tick()
    leave(0.9)
    tick()
    enter(2_500, true)
    leave(0.1)
    tick()
    enter(40, false)
    tick()
    leave(1)
    enter(1_500, true)
    tick()
    expect(matched).toBeGreaterThan(1_000)
  })
}
