import { StorageUnavailable } from '@matchyard/core/ports'
import { expect, test } from 'vitest'
import { MAX_WAITING } from '../src/commit/waiting-operations'
import { sqliteStorage } from '../src/index'

test('a ping is taken though a flood of writes is turned away', async () => {
  const storage = sqliteStorage({ path: ':memory:' })
  await storage.migrate()
  const flood = Array.from({ length: MAX_WAITING }, () => storage.presence.touch([]))
  const over = storage.presence.touch([]).catch((error: unknown) => error)
  const ping = storage.ping()
  expect(await over).toBeInstanceOf(StorageUnavailable)
  await ping
  await Promise.all(flood)
  await storage.close()
})
