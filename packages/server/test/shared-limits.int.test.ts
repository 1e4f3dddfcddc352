import { SILENT_LOGGER } from '@matchyard/core/ports'
import { postgresStorage } from '@matchyard/storage-postgres'
import { startProxy, startServer } from '@matchyard/storage-postgres/testing'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { MAX_ROWS_PER_OWNER } from '../src/service/row-budget'
import { sharedLimitsOf } from '../src/service/shared-limits'

const RULE = { name: 'logins', points: 3, windowMs: 3_600_000 } as const

/** Starts a database with the storage's schema. Returns also the number of rows of its limits. */
async function database() {
  const server = await startServer()
  onTestFinished(() => server.stop())
  const storage = postgresStorage({ url: server.url })
  await storage.migrate()
  await storage.close()
  const client = new Client({ connectionString: server.url })
  await client.connect()
  onTestFinished(() => client.end())
  const rows = async () => Number((await client.query('select count(*) from matchyard.rate_limit')).rows[0].count)
  const limitsOf = (now: () => number = Date.now) => {
    const limits = sharedLimitsOf(server.url, SILENT_LOGGER, { now })
    onTestFinished(() => limits.close())
    return limits.limiter
  }
  return { rows, limitsOf }
}

test('a flood of invented players is so many rows, counted by the node past them, costs other projects nothing, and is removed when it is over', async () => {
  const { rows, limitsOf } = await database()
  const [one, two] = [limitsOf(), limitsOf()]
  await one.consume(RULE, 'ann', 'prj_quiet')
  for (let from = 0; from < 2_000; from += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, i) => one.consume(RULE, `player ${from + i}`, 'prj_loud')))
  }
  expect(await rows()).toBe(1 + MAX_ROWS_PER_OWNER)
  // Above the number of rows, each node counts in its own memory, with the same limit.
  expect((await one.consume(RULE, 'player 1999', 'prj_loud')).consumed).toBe(2)
  expect((await one.peek(RULE, 'player 1999')).consumed).toBe(2)
  expect((await two.peek(RULE, 'player 1999')).consumed).toBe(0)
  // Keys of other owners are still counted together.
  expect((await two.consume(RULE, 'ann', 'prj_quiet')).consumed).toBe(2)
  expect((await one.peek(RULE, 'ann')).consumed).toBe(2)
  let passedMs = 0
  const later = limitsOf(() => Date.now() + passedMs)
  passedMs = 2 * RULE.windowMs
  await later.peek(RULE, 'nobody')
  await vi.waitFor(async () => expect(await rows()).toBe(0))
})

test('limits are refused in time while the database is silent, count again when it is back, and close at any time', async () => {
  const server = await startServer()
  onTestFinished(() => server.stop())
  const network = await startProxy(server.url)
  onTestFinished(() => network.stop())
  const storage = postgresStorage({ url: server.url })
  await storage.migrate()
  await storage.close()
  const limits = sharedLimitsOf(network.url, SILENT_LOGGER, { answerWithinMs: 300 })
  const count = () => limits.limiter.consume(RULE, 'ann')
  await Promise.all([count(), count()])
  network.fallSilent()
  await expect(Promise.all([count(), count()])).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(limits.limiter.peek(RULE, 'ann')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  network.answerAgain()
  await count()
  network.fallSilent()
  const last = expect(count()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await Promise.all([limits.close(), last])
})
