import { describe, expect, it } from 'vitest'
import { type ClockStep, nodeTimers, systemClock } from '../src/index'

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

  describe('beside a machine whose clock is set, or that is paused', () => {
    const machine = () => {
      const time = { wall: 1_000_000, elapsed: 50 }
      const steps: ClockStep[] = []
      const clock = systemClock({ now: () => time.wall, elapsed: () => time.elapsed })
      clock.onStep((step) => steps.push(step))
      const pass = (ms: number, onTheWall = ms) => {
        time.elapsed += ms
        time.wall += onTheWall
        return clock.now()
      }
      return { clock, steps, pass, time }
    }

    it('follows the clock of a machine that was paused with the first reading after it', () => {
      const { clock, steps, pass } = machine()
      expect(pass(10)).toBe(1_000_010)
      expect(pass(0, 3_600_000)).toBe(4_600_010)
      expect(pass(5)).toBe(4_600_015)
      expect(steps).toEqual([{ byMs: 3_600_000, at: 4_600_010 }])
      expect(clock.report()).toEqual({ offsetMs: 0, steps: 1, steppedTo: 4_600_010 })
    })

    it('goes on by what elapses where the clock is set back, says so once, and is on time when the machine catches up', () => {
      const { clock, steps, pass } = machine()
      expect(pass(0, -600_000)).toBe(1_000_000)
      expect(pass(1_000)).toBe(1_001_000)
      expect(clock.report()).toEqual({ offsetMs: -600_000, steps: 1, steppedTo: 0 })
      // Half of the way back, and the rest of it.
      expect(pass(0, 300_000)).toBe(1_001_000)
      expect(pass(1_000, 302_000)).toBe(1_003_000)
      expect(clock.report().offsetMs).toBe(0)
      expect(steps).toEqual([{ byMs: -600_000, at: 1_000_000 }])
    })

    it('follows small differences in silence', () => {
      const { clock, steps, pass } = machine()
      expect(pass(100, 1_100)).toBe(1_001_100)
      expect(pass(100, -900)).toBe(1_001_200)
      expect(steps).toEqual([])
      expect(clock.report()).toEqual({ offsetMs: -1_000, steps: 0, steppedTo: 0 })
    })

    it('takes being ahead of the machine by the newest record for no step', () => {
      const { clock, steps, pass } = machine()
      clock.advanceTo(1_050_000)
      expect(pass(1_000)).toBe(1_051_000)
      expect(clock.report()).toEqual({ offsetMs: -50_000, steps: 0, steppedTo: 0 })
      expect(pass(0, 40_000)).toBe(1_051_000)
      expect(pass(0, 30_000)).toBe(1_071_000)
      expect(steps).toEqual([{ byMs: 20_000, at: 1_071_000 }])
    })
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
