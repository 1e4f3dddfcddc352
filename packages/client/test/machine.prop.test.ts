import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beginning, type Effect, type Follow, type Input, step } from '../src/follow/machine'

/** Random inputs, of the present try or of an older one. */
const inputs = fc.array(
  fc.record({
    is: fc.constantFrom(...(['timer', 'wake', 'pause', 'resume', 'heard', 'answered', 'ended', 'failed'] as const)),
    isOld: fc.boolean(),
    after: fc.integer({ min: -60_000, max: 120_000 }),
    comeBackMs: fc.option(fc.integer({ min: 0, max: 2_100 }), { nil: undefined }),
    retryAfterMs: fc.option(fc.integer({ min: 0, max: 30_000 }), { nil: undefined }),
    chance: fc.double({ min: 0, max: 0.999, noNaN: true }),
  }),
  { maxLength: 60 },
)

interface World {
  state: Follow
  connected: boolean
  timer: boolean
}

function apply(world: World, effects: readonly Effect[]): void {
  for (const effect of effects) {
    if (effect.do === 'disconnect') world.connected = false
    if (effect.do === 'connect') {
      // One connection at a time.
      expect(world.connected).toBe(false)
      world.connected = true
    }
    if (effect.do === 'timer') {
      expect(effect.inMs).toBeGreaterThanOrEqual(0)
      expect(effect.inMs).toBeLessThanOrEqual(40_000)
      world.timer = true
    }
  }
}

describe('following a lobby, whatever happens', () => {
  it('holds one connection at the most, is never stuck, and is silent once it is closed', () => {
    fc.assert(
      fc.property(inputs, fc.constantFrom('stream' as const, 'polling' as const), (sequence, transport) => {
        let at = 1_000_000
        const world: World = { state: beginning(at, transport), connected: false, timer: false }
        const feed = (input: Input, chance = 0.5) => {
          if (input.is === 'timer') world.timer = false
          const { state, effects } = step(world.state, input, at, chance)
          world.state = state
          apply(world, effects)
        }
        feed({ is: 'resume' })
        for (const { is, isOld, after, comeBackMs, retryAfterMs, chance } of sequence) {
          // Only possible inputs: a timer that was set, data of an existing connection.
          if (is === 'timer' && !world.timer) continue
          at += after
          const attempt = world.state.attempt - (isOld ? 1 : 0)
          const isWord = is !== 'timer' && is !== 'wake' && is !== 'pause' && is !== 'resume'
          if (isWord && !isOld && !world.connected) continue
          if ((is === 'heard' || is === 'ended') && world.state.transport === 'polling') continue
          if (is === 'answered' && world.state.transport === 'stream') continue
          if (isWord && !isOld && (is === 'ended' || is === 'failed' || is === 'answered')) world.connected = false
          feed((isWord ? { is, attempt, comeBackMs, retryAfterMs } : { is }) as Input, chance)
          const { phase } = world.state
          expect(world.connected).toBe(phase === 'connecting' || phase === 'open')
          if (phase !== 'paused') expect(world.timer).toBe(true)
        }
        feed({ is: 'close' })
        expect(world.connected).toBe(false)
        for (const is of ['timer', 'wake', 'resume'] as const) {
          expect(step(world.state, { is }, at, 0.5).effects).toEqual([])
        }
      }),
      { numRuns: 500 },
    )
  })
})
