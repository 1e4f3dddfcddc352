import { FakeClock } from '@matchyard/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Turns } from '../src/turns'

const NOBODY = { account: '', project: '', key: '', address: '' }

/** A loop whose turns the test runs. */
class Loop {
  readonly clock = new FakeClock(0)
  private coming: (() => void)[] = []
  readonly turns = new Turns(this.clock, (callback) => void this.coming.push(callback))
  readonly begun: {
    readonly name: number
    readonly turn: number
    readonly waitedMs: number
    readonly told: boolean
  }[] = []
  readonly came: number[] = []
  private turn = 0
  /** Milliseconds of waiting from which a call is too late; never by default. */
  bearable = Number.POSITIVE_INFINITY

  arrive(name: number): void {
    this.came[name] = this.clock.now()
    const isTooLate = (now: number) => this.turns.waitMs(now, NOBODY) > this.bearable
    this.turns.take(() => {
      const now = this.clock.now()
      this.begun.push({ name, turn: this.turn, waitedMs: this.turns.waitMs(now, NOBODY), told: isTooLate(now) })
    }, isTooLate)
  }

  /** Runs one turn of the loop. Returns false if there was nothing to do. */
  next(): boolean {
    const due = this.coming
    this.coming = []
    this.turn++
    for (const callback of due) callback()
    return due.length > 0
  }

  finish(): void {
    while (this.next()) this.clock.advance(1)
  }
}

describe('calls of one process', () => {
  test('are begun at once while few come, and nothing is looked for after', () => {
    const loop = new Loop()
    loop.arrive(0)
    expect(loop.begun).toEqual([{ name: 0, turn: 0, waitedMs: 0, told: false }])
    loop.finish()
    expect(loop.next()).toBe(false)
  })

  test('are begun as many in a turn as take a millisecond, at least two and at most eight', () => {
    /** Returns the numbers of calls that later turns begin when each call takes so many milliseconds. */
    const perTurnWhere = (callMs: number) => {
      const loop = new Loop()
      for (let name = 0; name < 300; name++) loop.arrive(name)
      const counts: number[] = []
      for (let before = loop.begun.length; loop.next(); before = loop.begun.length) {
        counts.push(loop.begun.length - before)
        loop.clock.advance(callMs * (loop.begun.length - before))
      }
      // The last turn begins what is left.
      return new Set(counts.slice(20, -2))
    }
    expect([...perTurnWhere(1)]).toEqual([2])
    expect([...perTurnWhere(0.25)]).toEqual([4])
    expect([...perTurnWhere(0.01)]).toEqual([8])
  })

  test('are begun two in a turn when many come together, first come, first begun, and what they have waited is known', () => {
    const loop = new Loop()
    for (let name = 0; name < 7; name++) loop.arrive(name)
    loop.finish()
    expect(loop.begun.map(({ name, turn, waitedMs }) => [name, turn, waitedMs])).toEqual([
      [0, 0, 0],
      [1, 0, 0],
      [2, 1, 0],
      [3, 1, 0],
      [4, 2, 1],
      [5, 2, 1],
      [6, 3, 2],
    ])
  })

  test('that are told that it is too late do not make turns longer', () => {
    const loop = new Loop()
    loop.bearable = 10
    for (let name = 0; name < 500; name++) {
      loop.arrive(name)
      if (name % 20 !== 19) continue
      const before = loop.begun.filter((one) => !one.told).length
      loop.next()
      const calls = loop.begun.filter((one) => !one.told).length - before
      expect(calls).toBeLessThanOrEqual(2)
      loop.clock.advance(calls)
    }
    expect(loop.begun.filter((one) => one.told).length).toBeGreaterThan(100)
  })

  test('are begun two in a turn again after a rest, since the next ones may be slower', () => {
    const loop = new Loop()
    for (let name = 0; name < 200; name++) loop.arrive(name)
    while (loop.next()) loop.clock.advance(0.1)
    const before = loop.begun.length
    for (let name = 200; name < 208; name++) loop.arrive(name)
    expect(loop.begun.length - before).toBe(2)
  })

  test('that come when the line is too long are told at once, few in each turn, and those in it when it is their turn', () => {
    const loop = new Loop()
    loop.bearable = 10
    for (let name = 0; name < 4; name++) loop.arrive(name)
    loop.clock.advance(11)
    for (let name = 4; name < 8; name++) loop.arrive(name)
    const told = () => loop.begun.filter((one) => one.told).map(({ name }) => name)
    expect(told()).toEqual([4, 5])
    loop.next()
    expect(told()).toEqual([4, 5, 2, 3])
    loop.finish()
    expect(loop.begun.filter((one) => !one.told).map(({ name }) => name)).toEqual([0, 1, 6, 7])
  })

  test('are told that it is too late sixteen in a turn where very many wait', () => {
    const loop = new Loop()
    loop.bearable = 10
    for (let name = 0; name < 2_000; name++) loop.arrive(name)
    loop.clock.advance(11)
    loop.next()
    expect(loop.begun.filter((one) => one.told).length).toBe(16)
  })

  test('are each begun once, in the order in which they came where none is told that it is too late, and never many in one turn', () => {
    const step = fc.oneof(fc.constant('arrive' as const), fc.constant('turn' as const), fc.integer({ min: 1, max: 20 }))
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 300 }),
        fc.constantFrom(5, Number.POSITIVE_INFINITY),
        (steps, bearable) => {
          const loop = new Loop()
          loop.bearable = bearable
          let count = 0
          for (const what of steps) {
            if (what === 'arrive') loop.arrive(count++)
            else if (what === 'turn') loop.next()
            else loop.clock.advance(what)
          }
          loop.finish()
          const names = loop.begun.map(({ name }) => name)
          expect([...names].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, index) => index))
          const taken = loop.begun.filter((one) => !one.told).map(({ name }) => name)
          expect(taken).toEqual([...taken].sort((a, b) => a - b))
          const inTurn = new Map<string, number>()
          for (const { turn, told } of loop.begun) {
            const key = `${turn} ${told ? 'told' : 'begun'}`
            inTurn.set(key, (inTurn.get(key) ?? 0) + 1)
          }
          for (const [key, calls] of inTurn) expect(calls).toBeLessThanOrEqual(key.endsWith('told') ? 16 : 8)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('probes', () => {
  test('are begun at once, four in a turn of the event loop; others wait for theirs and are never told that it is too late', () => {
    const coming: (() => void)[] = []
    const turns = new Turns(new FakeClock(0), (callback) => void coming.push(callback))
    const begun: number[] = []
    for (let n = 0; n < 10; n++)
      turns.takeProbe(
        () => begun.push(n),
        () => NOBODY,
      )
    // Four were begun as probes, and two as the calls of the turn.
    expect(begun).toEqual([0, 1, 2, 3, 4, 5])
    for (const callback of coming.splice(0)) callback()
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    turns.takeProbe(
      () => begun.push(100),
      () => NOBODY,
    )
    expect(begun.at(-1)).toBe(100)
    while (coming.length > 0) for (const callback of coming.splice(0)) callback()
    expect(begun).toHaveLength(11)
  })
})
