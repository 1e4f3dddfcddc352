import { type ApiKey, createAdmin } from '@matchyard/client/admin'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EmbeddedService, embeddedService } from '../../src/embedded-service'

let service: EmbeddedService
beforeAll(async () => {
  service = await embeddedService()
})
afterAll(() => service.stop())

it('an account mints keys for a time, lists and revokes them; on a real file a revoked one fails at once', async () => {
  const { baseUrl, matchyard } = service.service
  const login = { email: 'ann@example.com', password: 'correct horse battery' }
  await matchyard.accounts.create({ ...login, name: 'Ann', plan: 'pro' })
  const { token, account } = await matchyard.accounts.login(login)
  const { project } = await matchyard.projects.create({ accountId: account.id, name: 'Arena' })
  const { keys } = createAdmin({ baseUrl, session: token })
  const minted = await keys.mint(project.id, { type: 'server', name: 'console', expires_in: 60 })
  const left = Date.parse(minted.expires_at ?? '') - Date.parse(minted.created_at)
  expect(left).toBe(60_000)

  const backend = createAdmin({ baseUrl, serverKey: minted.key ?? '', retryForMs: 0 })
  await backend.queues.create({ queue_id: 'duel', name: 'Duel' })
  await keys.revoke(project.id, minted.key_id)
  await expect(backend.queues.get('duel')).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
  const listed: ApiKey[] = []
  for await (const key of keys.list(project.id)) listed.push(key)
  expect(listed.map(({ type, expires_at }) => [type, expires_at])).toEqual([
    ['client', null],
    ['server', null],
    ['server', minted.expires_at],
  ])
  expect(listed[2]?.revoked_at).not.toBeNull()
})
