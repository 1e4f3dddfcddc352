import type { Logger } from '@matchyard/core/ports'
import { expect, test } from 'vitest'
import { startService } from './harness/service'
import { makeQueue, openStudio } from './harness/studio'

const fault = (): never => {
  throw new Error('the disk of the log is full')
}
const BROKEN_LOGGER: Logger = { debug: fault, info: fault, warn: fault, error: fault }

test('done work is answered as done although telling of it fails', async () => {
  const service = await startService({
    app: { onAnswer: fault, logger: BROKEN_LOGGER },
    core: { logger: BROKEN_LOGGER },
  })
  const studio = await openStudio(service)
  await makeQueue(service, studio)
  const body = { queue_id: 'duel' }
  const made = await service.call('POST /v1/lobbies', { key: studio.client, player: 'ann', body })
  expect(made.status).toBe(201)
  expect((await service.call('GET /no/such/route')).status).toBe(404)
})

test('a bug whose line cannot be written is still a problem with its request id', async () => {
  const service = await startService({ app: { logger: BROKEN_LOGGER } })
  const { token } = await openStudio(service)
  service.matchyard.accounts.get = () => Promise.reject(new Error('a bug'))
  const answer = await service.call('GET /v1/account', { token, headers: { 'x-request-id': 'abc-1' } })
  expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL', request_id: 'abc-1' } })
})
