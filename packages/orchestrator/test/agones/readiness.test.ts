import { FakeClock } from '@matchyard/testkit'
import { afterEach, expect, test, vi } from 'vitest'
import { Readiness } from '../../src/agones/observe/readiness'
import { ReadinessJudge } from '../../src/kit/index'

afterEach(() => vi.restoreAllMocks())

const TCP = [
  { name: 'game', protocol: 'tcp' as const, internalPort: 80, externalPort: 7_000, host: 'node', tlsEnabled: false },
]

/** Returns the keys of the servers that the kit's judge was asked about and not told to forget. */
function remembered(): ReadonlySet<string> {
  const keys = new Set<string>()
  const { judge, forget } = ReadinessJudge.prototype
  vi.spyOn(ReadinessJudge.prototype, 'judge').mockImplementation(function (this: ReadinessJudge, key, ...rest) {
    keys.add(key)
    return judge.call(this, key, ...rest)
  })
  vi.spyOn(ReadinessJudge.prototype, 'forget').mockImplementation(function (this: ReadinessJudge, key) {
    keys.delete(key)
    forget.call(this, key)
  })
  return keys
}

test('nothing is kept of servers that are ready, or that nobody asks about any more', async () => {
  const clock = new FakeClock()
  const kept = remembered()
  let answer: 'accepts' | 'refuses' = 'refuses'
  const readiness = new Readiness(async () => answer, clock)
  const judge = (key: string) => readiness.judge(key, { since: clock.now(), saysReady: false }, 'port', TCP)
  for (let index = 0; index < 100; index++) await judge(`ends-${index}`)
  expect((await judge('comes-up')).ready).toBe(false)
  expect(kept.size).toBe(101)
  // A server that starts slowly is judged again and again, so its key must stay.
  for (let minute = 0; minute < 7; minute++) {
    clock.advance(60_000)
    await judge('comes-up')
  }
  expect([...kept]).toEqual(['comes-up'])
  answer = 'accepts'
  expect((await judge('comes-up')).ready).toBe(true)
  expect([...kept]).toEqual([])
})
