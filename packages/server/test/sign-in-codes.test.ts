import { expect, test } from 'vitest'
import { OneTimeCodes } from '../src/dev/sign-in-codes'

const MINUTE = 60_000

/** Creates codes with a clock that the test moves. */
function codes() {
  let at = 0
  return { codes: new OneTimeCodes(() => at), pass: (ms: number) => (at += ms) }
}

test('a code has 256 bits, is good once and for ten minutes', () => {
  const { codes: shown, pass } = codes()
  const [first, second] = [shown.draw('acc_a'), shown.draw('acc_b')]
  expect(first).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(second).not.toBe(first)
  expect(shown.use(first, undefined)).toBe('acc_a')
  expect(shown.use(first, undefined)).toBeUndefined()
  pass(10 * MINUTE - 1)
  expect(shown.use(second, undefined)).toBe('acc_b')
  const third = shown.draw('acc_a')
  pass(10 * MINUTE)
  expect(shown.use(third, undefined)).toBeUndefined()
})

test('what is not one is nobody’s', () => {
  const { codes: shown } = codes()
  const code = shown.draw('acc_a')
  for (const wrong of ['', 'x', code.slice(1), `${code}x`, code.toLowerCase(), ` ${code}`]) {
    expect(shown.use(wrong, undefined)).toBeUndefined()
  }
  expect(shown.use(code, undefined)).toBe('acc_a')
})

test('a repeated call is the same use; another one is none', () => {
  const { codes: shown } = codes()
  const code = shown.draw('acc_a')
  expect(shown.use(code, 'call-1')).toBe('acc_a')
  expect(shown.use(code, 'call-1')).toBe('acc_a')
  expect(shown.use(code, 'call-2')).toBeUndefined()
  expect(shown.use(code, undefined)).toBeUndefined()
})

test('eight are kept, and nothing by which one could be found again', () => {
  const { codes: shown } = codes()
  const drawn = Array.from({ length: 9 }, () => shown.draw('acc_a'))
  expect(JSON.stringify(shown)).not.toContain(drawn[8])
  expect(drawn.map((code) => shown.use(code, undefined) !== undefined)).toEqual([false, ...Array(8).fill(true)])
})
