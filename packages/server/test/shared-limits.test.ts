import { SILENT_LOGGER } from '@matchyard/core/ports'
import { postgresStorage } from '@matchyard/storage-postgres'
import { startProxy, startServer } from '@matchyard/storage-postgres/testing'
import { expect, onTestFinished, test } from 'vitest'
import { sharedLimitsOf } from '../src/service/shared-limits'

const RULE = { name: 'logins', points: 3, windowMs: 3_600_000 } as const

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
