import { describe, expect, it } from 'vitest'
import { nodeTimers, systemClock } from '../src/index'

describe('systemClock', () => {
  it('starts at the wall time', () => {
    const before = Date.now()
    const now = systemClock().now()
    expect(now).toBeGreaterThanOrEqual(before)
    expect(now).toBeLessThanOrEqual(Date.now() + 1)
    expect(Number.isInteger(now)).toBe(true)
  })

  it('is not moved by a step of the wall clock after the start', () => {
    const real = Date.now
    const clock = systemClock()
    const before = clock.now()
    try {
      Date.now = () => real() - 3_600_000
      expect(clock.now()).toBeGreaterThanOrEqual(before)
      expect(clock.now()).toBeLessThan(before + 60_000)
    } finally {
      Date.now = real
    }
  })

  it('never runs backwards when its source does', () => {
    const times = [1000, 1500.9, 1200, 1600]
    const clock = systemClock({ now: () => times.shift() ?? 0 })
    expect([clock.now(), clock.now(), clock.now(), clock.now()]).toEqual([1000, 1500, 1500, 1600])
  })

  it('goes on from the newest stored instant when the wall is behind it, and still advances', () => {
    let wall = 1000
    const clock = systemClock({ notBefore: 5000, now: () => wall })
    expect(clock.now()).toBe(5000)
    wall += 10
    expect(clock.now()).toBe(5010)
    clock.advanceTo(9000)
    expect(clock.now()).toBe(9000)
    clock.advanceTo(100)
    wall += 1
    expect(clock.now()).toBe(9001)
  })

  it('takes the wall time when that is ahead of the newest stored instant', () => {
    expect(systemClock({ notBefore: 5, now: () => 1000 }).now()).toBe(1000)
  })
})

describe('nodeTimers', () => {
  it('calls once', async () => {
    const calls = await new Promise<number>((resolve) => {
      let count = 0
      nodeTimers().after(0, () => {
        count++
        setImmediate(() => resolve(count))
      })
    })
    expect(calls).toBe(1)
  })

  it('does not call when cancelled, nor at once for a wait beyond what the platform takes', async () => {
    const timers = nodeTimers()
    const called: string[] = []
    timers.after(1, () => called.push('cancelled'))()
    const cancelLong = timers.after(2 ** 40, () => called.push('long'))
    await new Promise<void>((resolve) => timers.after(5, resolve))
    cancelLong()
    expect(called).toEqual([])
  })
})
