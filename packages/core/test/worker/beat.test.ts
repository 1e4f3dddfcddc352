import { FakeClock, FakeLogger } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { Beat } from '../../src/worker/beat'
import { settled } from '../use-cases/service'

describe('a beat', () => {
  it('says once in an outage that it fails, tries again all the while, and says when it is over', async () => {
    const clock = new FakeClock()
    const logger = new FakeLogger()
    let fault: string | undefined = 'the engine is away'
    let tries = 0
    const beat = new Beat({ clock, timers: clock, logger }, 'keeping servers warm', async () => {
      tries++
      if (fault !== undefined) throw new Error(fault)
      return Number.POSITIVE_INFINITY
    })
    const live = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 100) {
        await settled()
        clock.advance(100)
      }
      await settled()
    }
    const lines = () => logger.lines.map(({ level, message, fields }) => [level, message, fields])
    const failed = (error: string) => ['error', 'keeping servers warm failed; retrying', { error: `Error: ${error}` }]
    beat.wake(clock.now())
    await live(60_000)
    expect(tries).toBeGreaterThan(50)
    expect(lines()).toEqual([failed('the engine is away')])
    fault = 'the engine refuses'
    await live(10_000)
    expect(lines().slice(1)).toEqual([failed('the engine refuses')])
    fault = undefined
    await live(1_000)
    expect(lines().slice(2)).toEqual([
      ['info', 'keeping servers warm works again', { failed_in_a_row: expect.any(Number) }],
    ])
    fault = 'the engine is away'
    beat.wake(clock.now())
    await live(1_000)
    expect(lines().slice(3)).toEqual([failed('the engine is away')])
    await beat.stop()
  })
})
