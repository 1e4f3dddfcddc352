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
        has_token: false,
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
  const ofToken = ['POST /v1/machines/fra-9/token', 'DELETE /v1/machines/fra-9/token']
  for (const call of [...ofToken, 'GET /v1/machines', `POST /v1/machines/${id}/cordon`, 'POST /v1/machines/none/drain'])
    expect((await service.call(call, { token: studio.token })).body).toMatchObject({ code: 'NOT_FOUND' })
  expect((await service.call('GET /v1/machines', { key: studio.server })).body).toMatchObject({
    code: 'CREDENTIAL_NOT_ALLOWED',
  })
})

test('an operator mints, replaces and revokes the token of an agent, which is in one answer alone', async () => {
  const service = await startService()
  const wish = { email: 'boss@example.com', password: 'long enough', name: 'Boss', operator: true }
  const { id: accountId } = await service.matchyard.accounts.create(wish)
  const { token: session } = await service.matchyard.accounts.signIn({ accountId })
  const { authenticateMachine } = service.matchyard.access
  const call = (what: string, more = {}) =>
    service.call(`${what} /v1/machines/fra-1/token`, { token: session, ...more })
  const once = { headers: { 'idempotency-key': 'mint' } }

  const minted = await call('POST', once)
  expect(minted).toMatchObject({
    status: 201,
    body: { machine_id: 'fra-1', kind: 'agent', status: 'lost', regions: [] },
  })
  const { token } = minted.body
  expect(await authenticateMachine(token)).toMatchObject({ machineId: 'fra-1' })
  const { token: _, ...machine } = minted.body
  expect(await call('POST', once)).toMatchObject({ status: 201, body: machine })
  expect((await call('POST', once)).text).not.toContain(token)
  expect((await service.call('GET /v1/machines', { token: session })).body).toEqual({ machines: [machine] })

  expect(await call('POST')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  expect(await call('POST', { body: { replace: 1 } })).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_FAILED' },
  })
  const odd = await service.call('POST /v1/machines/-a/token', { token: session })
  expect(odd).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  const { body: next } = await call('POST', { body: { replace: true } })
  await expect(authenticateMachine(token)).rejects.toMatchObject({ code: 'INVALID_MACHINE_TOKEN' })
  expect(await authenticateMachine(next.token)).toMatchObject({ machineId: 'fra-1' })
  // The token of a machine opens no call of sessions.
  const asAgent = await service.call('GET /v1/machines', { token: next.token })
  expect(asAgent).toMatchObject({ status: 403, body: { code: 'CREDENTIAL_NOT_ALLOWED' } })

  expect(await call('DELETE')).toMatchObject({ status: 204 })
  expect(await call('DELETE')).toMatchObject({ status: 204 })
  await expect(authenticateMachine(next.token)).rejects.toMatchObject({ code: 'INVALID_MACHINE_TOKEN' })
  const none = await service.call('DELETE /v1/machines/fra-2/token', { token: session })
  expect(none).toMatchObject({ status: 404, body: { code: 'MACHINE_NOT_FOUND' } })
})
