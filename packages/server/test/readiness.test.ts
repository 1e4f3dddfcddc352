import { StorageUnavailable } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { expect, test } from 'vitest'
import { startInProcess } from './harness/in-process'

test('/readyz is 503 while the storage is down, /livez is not, and both are well again with it', async () => {
  const storage = memoryStorage()
  let down = true
  const refuseWhileDown = async () => {
    if (down) throw new StorageUnavailable('the database at db.internal:5432 refuses connections')
  }
  const { call } = await startInProcess({ storage: { ...storage, ping: refuseWhileDown, metrics: async (now) => {
    await refuseWhileDown()
    return storage.metrics(now)
  } } }) // biome-ignore format: one storage with two faults
  const answer = await call('GET /readyz')
  expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', number: 8007 } })
  expect(answer.headers.get('retry-after')).toBe('2')
  expect(answer.text).not.toContain('db.internal')
  expect((await call('GET /livez')).status).toBe(200)
  const page = await call('GET /metrics')
  expect(page.status).toBe(200)
  expect(page.text).toMatch(/^matchyard_storage_up 0$/m)
  down = false
  expect((await call('GET /readyz')).status).toBe(200)
  expect((await call('GET /metrics')).text).toMatch(/^matchyard_storage_up 1$/m)
})
