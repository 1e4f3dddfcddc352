import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answerOf } from '../../src/webhook/answer'
import { type DeliveryEvent, evolveDelivery, giveUp, isPending, noteAttempt } from '../../src/webhook/attempts'
import { type Delivery, newDelivery } from '../../src/webhook/delivery'
import { nextAttemptAt, RETRY_DELAYS_MS, TRIED_FOR_MS } from '../../src/webhook/schedule'

const HOUR = 3_600_000
const middle = (below: number) => (below - 1) / 2
const fresh = (): Delivery =>
  newDelivery(
    { id: 'dlv', webhookId: 'whk', isAskedFor: false },
    { id: 'msg', projectId: 'prj', type: 'build.ready' },
    0,
  )
const attempt = (statusCode: number | null, at = 0) => ({ at, statusCode, error: null, durationMs: 1 })
const after = (delivery: Delivery, events: readonly DeliveryEvent[]) => events.reduce(evolveDelivery, delivery)

describe('what an answer means', () => {
  test.each([
    [200, 'taken'],
    [204, 'taken'],
    [299, 'taken'],
    [301, 'failed'],
    [302, 'failed'],
    [400, 'failed'],
    [404, 'failed'],
    [410, 'gone'],
    [429, 'failed'],
    [500, 'failed'],
    [101, 'failed'],
    [null, 'failed'],
  ] as const)('%s is %s', (status, answer) => {
    expect(answerOf(status)).toBe(answer)
  })
})

describe('the waits between attempts', () => {
  test('are 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 3 h, 6 h, then 12 h each, and end after three days', () => {
    const waits: number[] = []
    let at = 0
    for (let attempts = 1; ; attempts++) {
      const next = nextAttemptAt({ attempts, createdAt: 0 }, at, middle)
      if (next === undefined) break
      waits.push(next - at)
      at = next
    }
    const [seconds, minutes, hours] = [
      [5, 30],
      [2, 10, 30],
      [1, 3, 6, 12, 12, 12, 12, 12],
    ]
    expect(waits).toEqual([
      ...(seconds ?? []).map((n) => n * 1_000),
      ...(minutes ?? []).map((n) => n * 60_000),
      ...(hours ?? []).map((n) => n * HOUR),
    ])
    expect(at).toBeLessThanOrEqual(TRIED_FOR_MS)
    expect(at + 12 * HOUR).toBeGreaterThan(TRIED_FOR_MS)
  })

  test('are a tenth longer or shorter by chance, and never past the three days', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.nat(TRIED_FOR_MS), fc.nat(1_000), (attempts, at, drawn) => {
        const base = RETRY_DELAYS_MS[Math.min(attempts, RETRY_DELAYS_MS.length) - 1] ?? 0
        const next = nextAttemptAt({ attempts, createdAt: 0 }, at, () => drawn)
        if (next === undefined) return at + base * 1.1 > TRIED_FOR_MS
        const wait = next - at
        return wait >= base * 0.9 - 1 && wait <= base * 1.1 + 1 && next <= TRIED_FOR_MS
      }),
    )
  })
})

describe('a delivery', () => {
  test('is delivered by the first success, and nothing happens to it any more', () => {
    const done = after(fresh(), noteAttempt(fresh(), { attempt: attempt(200), answer: 'taken', at: 0 }, middle))
    expect(done).toMatchObject({ status: 'delivered', nextAttemptAt: null, version: 2 })
    expect(isPending(done)).toBe(false)
    expect(noteAttempt(done, { attempt: attempt(500), answer: 'failed', at: 1 }, middle)).toEqual([])
    expect(giveUp(done, 'too late', 1)).toEqual([])
  })

  test('is given up at once by who is gone, and says so where nobody is there', () => {
    const gone = after(fresh(), noteAttempt(fresh(), { attempt: attempt(410), answer: 'gone', at: 0 }, middle))
    expect(gone).toMatchObject({ status: 'failed', nextAttemptAt: null })
    const nobody = after(fresh(), giveUp(fresh(), 'its webhook is gone', 9))
    expect(nobody.attempts).toEqual([{ at: 9, statusCode: null, error: 'its webhook is gone', durationMs: 0 }])
  })

  test('is delivered or given up in the end, whatever is answered', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(200, 500, 410, null, 302), { minLength: 30 }),
        fc.nat(1_000),
        (codes, draw) => {
          let delivery = fresh()
          let at = 0
          for (const code of codes) {
            const answer = answerOf(code)
            delivery = after(
              delivery,
              noteAttempt(delivery, { attempt: attempt(code, at), answer, at }, () => draw),
            )
            at = delivery.nextAttemptAt ?? at
          }
          return !isPending(delivery) && delivery.attempts.length <= 16
        },
      ),
    )
  })
})
