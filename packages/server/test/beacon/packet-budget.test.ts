import { FakeClock } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { PacketBudget } from '../../src/beacon/packet-budget'

const LIMITS = { perSecond: 20, burst: 40, totalPerSecond: 100, dropsPerSecond: 1_000 }

function opened() {
  const clock = new FakeClock()
  const budget = new PacketBudget(clock, LIMITS)
  const take = (network: string, times: number) =>
    Array.from({ length: times }, () => budget.take(network)).filter((isAnswered) => isAnswered).length
  return { clock, budget, take }
}

describe('the answers of a beacon', () => {
  it('to one network are 40 at once and 20 per second', () => {
    const { clock, take } = opened()
    expect(take('10.0.0.1', 100)).toBe(40)
    clock.advance(500)
    expect(take('10.0.0.1', 100)).toBe(10)
    expect(take('10.0.0.2', 10)).toBe(10)
    clock.advance(60_000)
    expect(take('10.0.0.1', 100)).toBe(40)
  })

  it('to all networks together have a limit, to which refused requests of one network do not count', () => {
    const { clock, take } = opened()
    expect(take('10.0.0.1', 1_000)).toBe(40)
    expect([take('10.0.0.2', 40), take('10.0.0.3', 40)]).toEqual([40, 20])
    clock.advance(100)
    expect(take('10.0.0.4', 40)).toBe(10)
  })

  it('are counted for a bounded number of networks, and a forgotten network has its whole budget again', () => {
    const { clock, budget, take } = opened()
    for (let n = 0; n < 2_000; n++) {
      take(`10.0.${n >> 8}.${n & 255}`, 1)
      clock.advance(10)
    }
    expect(budget.size).toBe(LIMITS.totalPerSecond * 3)
    expect(take('10.0.0.0', 40)).toBe(40)
  })
})
