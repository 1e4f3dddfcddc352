import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Timers } from '../../src/process/timers'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('however often a stop is asked for, one timer waits for it: the soonest', () => {
  const timers = new Timers()
  const called: string[] = []
  for (let i = 0; i < 1_000; i++) timers.later('srv_1', 10_000, () => called.push('late'))
  timers.later('srv_1', 50, () => called.push('soon'))
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(20_000)
  expect(called).toEqual(['soon'])
  expect(vi.getTimerCount()).toBe(0)
})
