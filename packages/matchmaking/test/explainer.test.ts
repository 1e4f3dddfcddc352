import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPool, Explainer, type Explanation, type MatchmakingConfig, type Ticket } from '../src/index'

const ticket = (id: string, enteredAt: number, state: Ticket['players'][0]['state'], players = 1): Ticket => ({
  id,
  enteredAt,
  players: Array.from({ length: players }, (_, seat) => ({ playerId: `${id}_${seat}`, state })),
})

/** Runs an explanation to its end. After `steps` yields it tells the explainer to stop. */
function explained(explainer: Explainer, of: Ticket, atMost: number, steps = Number.POSITIVE_INFINITY): Explanation {
  const run = explainer.explain(of, 60_000, atMost)
  let step = run.next()
  for (let taken = 1; step.done !== true; taken++) step = run.next(taken >= steps)
  return step.value
}

const config: MatchmakingConfig = {
  playersPerTeam: 4,
  rules: [
    { type: 'difference', field: 'mmr', maxDifference: 10, expansions: [{ afterSeconds: 30, maxDifference: 40 }] },
    { type: 'difference', field: 'mmr', maxDifference: 25 },
    { type: 'equals', field: 'mode' },
    { type: 'intersection', field: 'maps' },
  ],
}

const state = fc.record(
  {
    mmr: fc.nat({ max: 60 }),
    mode: fc.constantFrom('ctf', 'arena'),
    maps: fc.subarray(['dust', 'ice', 'moon']),
  },
  { requiredKeys: [] },
)

describe('why a ticket waits', () => {
  it('is what a pool says, where all who wait are looked at', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(state, fc.integer({ min: 1, max: 4 })), { minLength: 1, maxLength: 12 }), (all) => {
        const tickets = all.map(([of, players], index) => ticket(`t${index}`, index * 5_000, of, players))
        const pool = createPool(config)
        for (const one of tickets) pool.add(one)
        const shared = Explainer.of(config, tickets, tickets.length)
        for (const one of tickets) expect(explained(shared, one, tickets.length)).toEqual(pool.explain(one.id, 60_000))
      }),
    )
  })

  it('is scaled up to all where some are looked at', () => {
    const some = Array.from({ length: 40 }, (_, index) => ticket(`t${index}`, 1, { mmr: index < 10 ? 0 : 900 }))
    const of = ticket('me', 0, { mmr: 0 })
    const told = explained(Explainer.of(config, some, 1_001), of, 20)
    expect(told.sampled).toBe(20)
    expect(told.fittingAll).toBe(500)
    expect(told.rules[0]).toEqual({ type: 'difference', field: 'mmr', passing: 500, failing: 500 })
  })

  it('ends where there is enough, with what was looked at until then', () => {
    const some = Array.from({ length: 40 }, (_, index) => ticket(`t${index}`, 1, { mmr: 0 }))
    const of = ticket('me', 0, { mmr: 0 })
    const whole = explained(Explainer.of(config, some, 41), of, 40)
    const sampled = [1, 10, 50, 100].map((steps) => explained(Explainer.of(config, some, 41), of, 40, steps).sampled)
    expect(sampled).toEqual([...sampled].sort((a, b) => a - b))
    expect(sampled[0]).toBe(0)
    expect(sampled.at(-1)).toBeLessThan(whole.sampled)
    expect(explained(Explainer.of(config, some, 41), of, 40, 1).rules[0]).toMatchObject({ passing: 0, failing: 0 })
  })
})
