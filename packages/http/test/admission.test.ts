import { FakeClock } from '@matchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { Admission, requireAdmission, tooMuchToDo } from '../src/middleware/admission'
import { loadOf, type Rank } from '../src/middleware/load'
import { problemResponse } from '../src/problem'

/** Call of a rank, which arrives at `at` milliseconds. */
interface Sent {
  readonly rank: Exclude<Rank, 'vital'>
  readonly at: number
}

const COST_MS = 1
const REFUSAL_MS = 0.1

const OPERATION = { begins: 'lobbies.create', goesOn: 'lobbies.updateSettings', ends: 'lobbies.leave' } as const
const load = (rank: Exclude<Rank, 'vital'>) => loadOf(OPERATION[rank], 'post')

/**
 * One process under a virtual clock, like an event loop: it runs its timers, then takes the calls that have arrived,
 * one after the other. Work advances the clock; without work the clock jumps to the next call or timer.
 */
class Loop {
  readonly clock = new FakeClock(0)
  readonly admission
  readonly taken: { rank: Rank; at: number; ms: number }[] = []
  readonly refused: { rank: Rank; at: number }[] = []
  private spent = 0

  /**
   * Creates the loop. `stolenMs` is the time in milliseconds that other programs have the processor between two turns.
   */
  constructor(private readonly stolenMs = 0) {
    // The timers of a busy loop are late: they run between turns, and not when they are due.
    const timers = { after: (ms: number, callback: () => void) => this.later(this.now() + ms, callback) }
    this.admission = new Admission({}, { now: () => Math.floor(this.now()) }, timers)
  }

  private readonly due: { at: number; callback: () => void }[] = []

  private now(): number {
    return this.spent
  }

  private later(at: number, callback: () => void): () => void {
    const timer = { at, callback }
    this.due.push(timer)
    return () => void this.due.splice(this.due.indexOf(timer), 1)
  }

  private runTimers(): void {
    for (const timer of this.due.filter(({ at }) => at <= this.now())) {
      this.due.splice(this.due.indexOf(timer), 1)
      timer.callback()
    }
  }

  run(calls: readonly Sent[]): void {
    const waiting = [...calls].sort((a, b) => a.at - b.at)
    while (waiting.length > 0) {
      const next = Math.min(waiting[0]?.at ?? 0, ...this.due.map(({ at }) => at))
      this.spent = Math.max(this.spent, next) + this.stolenMs
      this.runTimers()
      const come = waiting.findIndex(({ at }) => at > this.now())
      for (const call of waiting.splice(0, come === -1 ? waiting.length : come)) this.take(call)
    }
  }

  private take({ rank, at }: Sent): void {
    const now = Math.floor(this.now())
    if (this.admission.enter(load(rank), now) !== undefined) {
      this.spent += REFUSAL_MS
      this.refused.push({ rank, at })
      return
    }
    this.spent += COST_MS
    this.admission.leave(load(rank), COST_MS)
    this.taken.push({ rank, at, ms: this.now() - at })
  }
}

/** Returns calls at a constant rate, with the ranks in turn. */
const steady = (
  perSecond: number,
  from: number,
  seconds: number,
  ranks: readonly Sent['rank'][] = ['goesOn'],
): Sent[] =>
  Array.from({ length: perSecond * seconds }, (_, index) => ({
    rank: ranks[index % ranks.length] ?? 'goesOn',
    at: from + (index * 1_000) / perSecond,
  }))
const p99 = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0

describe('one process that can do a thousand calls a second', () => {
  it('answers what it takes soon when twice as many come, takes most of what it can, and is itself again at once', () => {
    const loop = new Loop()
    loop.run(steady(2_000, 0, 20))
    const settled = loop.taken.filter(({ at }) => at > 2_000)
    expect(p99(settled.map(({ ms }) => ms))).toBeLessThan(60)
    expect(settled.length / 18).toBeGreaterThan(700)
    const [answered, refused] = [loop.taken.length, loop.refused.length]
    loop.run(steady(500, 21_000, 5))
    expect(loop.refused.length).toBe(refused)
    expect(p99(loop.taken.slice(answered).map(({ ms }) => ms))).toBeLessThan(5)
  })

  it('refuses what begins work before what goes on, and that before what ends it', () => {
    const loop = new Loop()
    loop.run(steady(2_000, 0, 20, ['begins', 'goesOn', 'ends']))
    const share = (rank: Rank) => loop.refused.filter((call) => call.rank === rank).length / (40_000 / 3)
    expect(share('begins')).toBeGreaterThan(share('goesOn'))
    expect(share('goesOn')).toBeGreaterThan(share('ends'))
    expect(share('ends')).toBeLessThan(0.25)
  })
})

test('nothing is refused of any load that one process can do, and of no burst that it is through with in less than its patience', () => {
  const burst = fc.record({ at: fc.integer({ min: 0, max: 10_000 }), calls: fc.integer({ min: 1, max: 400 }) })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.option(burst, { nil: undefined }), (perSecond, at) => {
      const loop = new Loop()
      const more = Array.from({ length: at?.calls ?? 0 }, (): Sent => ({ rank: 'begins', at: at?.at ?? 0 }))
      loop.run([...steady(perSecond, 0, 12, ['begins', 'goesOn', 'ends']), ...more])
      expect(loop.refused).toEqual([])
    }),
    { numRuns: 30 },
  )
})

test('a process that others leave little of the machine to takes what it can all the same', () => {
  const loop = new Loop(60)
  loop.run(steady(100, 0, 20))
  expect(loop.refused.length).toBeLessThan(100)
})

test('one pause of the process refuses nobody: what came meanwhile is answered late', () => {
  const loop = new Loop()
  loop.run(steady(300, 0, 2))
  loop.run(steady(300, 10_000, 3).map((call) => ({ ...call, at: Math.max(call.at, 11_000) })))
  expect(loop.refused).toEqual([])
})

test('calls that all wait for something else, and ever longer, are refused past what is answered in time', () => {
  const clock = new FakeClock(0)
  const refusals: Rank[] = []
  const onRefused = (rank: Rank) => {
    refusals.push(rank)
    throw new Error('a listener that fails')
  }
  const admission = new Admission({ onRefused }, clock, clock)
  const line: number[] = []
  let worst = 0
  /** Lets one millisecond pass in a database that answers one call per millisecond; `asked` calls arrive in it. */
  const step = (asked: number, isCounted: boolean) => {
    for (let call = 0; call < asked; call++)
      if (admission.enter(load('goesOn'), clock.now()) === undefined) line.push(clock.now())
    const begun = line.shift()
    if (begun !== undefined) {
      const ms = clock.now() - begun + 2
      admission.leave(load('goesOn'), ms)
      if (isCounted) worst = Math.max(worst, ms)
    }
    clock.advance(1)
  }
  for (let ms = 0; ms < 2_000; ms++) step(ms % 2, false)
  expect(refusals).toEqual([])
  for (let ms = 0; ms < 3_000; ms++) step(2, false)
  for (let ms = 0; ms < 5_000; ms++) step(2, true)
  expect(refusals.length).toBeGreaterThan(5_000)
  expect(worst).toBeLessThan(400)
  while (line.length > 0) step(0, false)
  const before = refusals.length
  for (let ms = 0; ms < 2_000; ms++) step(ms % 2, false)
  expect(refusals.length).toBe(before)
})

test('of calls that all wait for something else, those that begin work are refused first, and those that end it last', () => {
  const clock = new FakeClock(0)
  const admission = new Admission({}, clock, clock)
  const line: { rank: Sent['rank']; at: number }[] = []
  const enter = (rank: Sent['rank']) => {
    const isBegun = admission.enter(load(rank), clock.now()) === undefined
    if (isBegun) line.push({ rank, at: clock.now() })
    return isBegun
  }
  const leave = () => {
    const begun = line.shift()
    if (begun !== undefined) admission.leave(load(begun.rank), clock.now() - begun.at + 2)
  }
  for (let ms = 0; ms < 3_000; ms++) {
    enter('goesOn')
    enter('goesOn')
    leave()
    clock.advance(1)
  }
  while (line.length > 0) leave()
  const most = (['begins', 'goesOn', 'ends'] as const).map((rank) => {
    while (enter(rank));
    return line.length
  })
  const [begins = 0] = most
  expect(begins).toBeGreaterThan(0)
  expect(most).toEqual([begins, 2 * begins, 4 * begins])
})

test.each([
  ['lobbies.create', 'begins'],
  ['lobbies.enqueue', 'begins'],
  ['servers.create', 'begins'],
  ['lobbies.updateSettings', 'goesOn'],
  ['lobbies.get', 'goesOn'],
  ['lobbies.leave', 'ends'],
  ['lobbies.heartbeat', 'ends'],
  ['servers.stop', 'ends'],
  ['system.live', 'vital'],
] as const)('%s is of the rank %s', (operation, rank) => {
  expect(loadOf(operation, 'post').rank).toBe(rank)
})

test('health, streams and the calls of game servers are never refused', () => {
  for (const operation of ['system.ready', 'lobbies.events', 'projects.events', 'servers.selfHeartbeat'] as const)
    expect(loadOf(operation, 'get').rank).toBe('vital')
})

test('the refusal is a problem of the catalogue and says when to come again, each of three another time', async () => {
  const loop = new Loop()
  loop.run(steady(2_000, 0, 3))
  const again = Array.from({ length: 3 }, () => loop.admission.enter(load('begins'), 1e9) ?? 0)
  expect([...again].sort()).toEqual([1, 2, 3])
  const answer = problemResponse(
    tooMuchToDo(again[0] ?? 0),
    'req_1',
    {},
    { debug() {}, info() {}, warn() {}, error() {} },
  )
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toMatch(/^[123]$/)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(await answer.json()).toMatchObject({
    code: 'UNAVAILABLE',
    request_id: 'req_1',
    detail: expect.stringMatching(/try again in \d s/),
  })
})

test('an option that nobody knows, and a time that is none, are mistakes', () => {
  expect(() => requireAdmission({ delay: 5 } as never)).toThrow(/delay/)
  expect(() => requireAdmission({ delayMs: -1 })).toThrow(TypeError)
  expect(() => requireAdmission({ delayMs: 0 })).toThrow(/at least 1/)
})
