import { expect, test } from 'vitest'
import { startService } from './harness/service'
import { openStudio } from './harness/studio'

// The machines of an installation: docs/machines.md.

test('an operator lists, cordons, drains and uncordons machines; nobody else learns of them', async () => {
  const service = await startService()
  await service.matchyard.worker.watchNodes()
  const wish = { email: 'boss@example.com', password: 'long enough', name: 'Boss', operator: true }
  const { id: accountId } = await service.matchyard.accounts.create(wish)
  const { token } = await service.matchyard.accounts.signIn({ accountId })
  const { body } = await service.call('GET /v1/machines', { token })
  const [{ machine_id: id }] = body.machines
  expect(body).toEqual({
    machines: [
      {
        ...{ machine_id: id, name: id, kind: 'node', status: 'ready', status_reason: null, drain_by: null },
        ...{ servers: 0, capacity: {}, used: { servers: 0, cpus: 0, memory_mb: 0 }, load: null },
        ...{ version: null, host: null, peer_url: null, regions: expect.arrayContaining(['iad', 'fra']) },
        ...{ last_seen_at: expect.any(String), created_at: expect.any(String) },
      },
    ],
  })
  const on = (action: string, more = {}) => service.call(`POST /v1/machines/${id}/${action}`, { token, ...more })
  expect((await on('cordon')).body).toMatchObject({ machine_id: id, status: 'cordoned' })
  const drained = await on('drain', { body: { deadline: 1_800 } })
  expect(drained.body).toMatchObject({
    status: 'draining',
    drain_by: new Date(service.clock.now() + 1_800_000).toISOString(),
  })
  expect((await on('uncordon')).body).toMatchObject({ status: 'ready', drain_by: null })
  expect((await on('drain')).body).toMatchObject({ status: 'draining', drain_by: null })
  expect((await on('drain', { body: { deadline: -1 } })).body).toMatchObject({ code: 'VALIDATION_FAILED' })
  expect((await service.call('GET /v1/account', { token })).body).toMatchObject({ operator: true })

  const studio = await openStudio(service)
  for (const call of ['GET /v1/machines', `POST /v1/machines/${id}/cordon`, 'POST /v1/machines/none/drain'])
    expect((await service.call(call, { token: studio.token })).body).toMatchObject({ code: 'NOT_FOUND' })
  expect((await service.call('GET /v1/machines', { key: studio.server })).body).toMatchObject({
    code: 'CREDENTIAL_NOT_ALLOWED',
  })
})
