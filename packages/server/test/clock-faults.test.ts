import type { Logger } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeLogger } from '@matchyard/testkit'
import { expect, test } from 'vitest'
import { clockDoubt, clockFault, TOLERATED_CLOCK_MS } from '../src/service/clock-faults'
import { startInProcess } from './harness/in-process'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const now = Date.UTC(2026, 4, 1)

/** Returns a storage whose newest record has this time. */
async function storeOf(newest: number) {
  const storage = memoryStorage()
  await storage.commit({ id: 'cmt', at: newest, checks: [], writes: [], counters: [], events: [], jobs: [] })
  return storage
}

test('a few minutes are nothing, more is a fault that names both instants and the way back', () => {
  expect(clockFault({ now, newest: 0 })).toBeUndefined()
  expect(clockFault({ now, newest: now + TOLERATED_CLOCK_MS })).toBeUndefined()
  expect(clockFault({ now, newest: now + 40 * DAY })).toBe(
    'the clock says 2026-05-01T00:00:00.000Z, but the newest record is of 2026-06-10T00:00:00.000Z: ' +
      'set the clock (timedatectl set-ntp true); if it is right, run: matchyard clock --accept',
  )
  expect(clockFault({ now, newest: 0, database: now - DAY })).toMatch(/the database's 2026-04-30T00:00/)
  expect(clockFault({ now, newest: 0, database: now + 4 * MINUTE })).toBeUndefined()
})

test('a long rest is a doubt where nothing else tells the time', () => {
  expect(clockDoubt({ now, newest: 0 })).toBeUndefined()
  expect(clockDoubt({ now, newest: now - 6 * DAY })).toBeUndefined()
  expect(clockDoubt({ now, newest: now - 40 * DAY })).toMatch(/if the service has not rested since, stop it/)
  expect(clockDoubt({ now, newest: now - 40 * DAY, database: now })).toBeUndefined()
})

test('a start with a clock that is behind the records is refused before anything is written', async () => {
  const newest = Date.now() + 40 * DAY
  const storage = await storeOf(newest)
  await expect(startInProcess({ storage })).rejects.toThrow(/the newest record is of .* matchyard clock --accept/)
  expect(await storage.newestInstant()).toBe(newest)
  expect((await storage.jobs.agenda(['prune'], 0)).filter(({ nextAt }) => nextAt !== undefined)).toEqual([])
})

test('where a wrong clock is let pass, each start warns', async () => {
  const storage = await storeOf(Date.now() + 40 * DAY)
  for (let start = 0; start < 2; start++) {
    const logger = new FakeLogger()
    await startInProcess({
      storage: { ...storage, close: async () => {} },
      wrongClock: 'warn',
      logger: logger as Logger,
    })
    expect(logger.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', message: expect.stringMatching(/matchyard clock --accept/) }),
    )
  }
})

test("a start whose clock is not the database's is refused", async () => {
  const databaseNow = async () => Date.now() - 40 * DAY
  await expect(startInProcess({ databaseNow })).rejects.toThrow(/set the one that is wrong/)
})
