import { beforeEach, describe, expect, test } from 'vitest'
import { type Service, startService } from './harness/service'
import { openStudio, type Studio } from './harness/studio'

const PATH = '/v1/account/sessions'
const EMAIL = 'owner@example.com'
const HOUR = 3_600_000

let service: Service
let studio: Studio

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service, 'free', EMAIL)
})

async function login(headers: Record<string, string> = {}): Promise<string> {
  const body = { email: EMAIL, password: 'correct horse' }
  const { status, body: session, text } = await service.call('POST /v1/auth/login', { body, headers })
  expect(status, text).toBe(200)
  return session.token
}

const list = async (token: string, query = '') => (await service.call(`GET ${PATH}${query}`, { token })).body
const idOf = async (token: string): Promise<string> =>
  (await list(token)).data.find(({ current }: { current: boolean }) => current).session_id
const end = (token: string, id: string) => service.call(`DELETE ${PATH}/${id}`, { token })

describe('the sessions of an account', () => {
  test('are listed newest first, with times, address, and the one that asks', async () => {
    service.clock.advance(1_000)
    const second = await login()
    const { data, next_cursor: next } = await list(second)
    expect(data).toEqual([
      {
        session_id: expect.stringMatching(/^ses_/),
        created_at: '2026-03-01T00:00:01.000Z',
        expires_at: '2026-03-08T00:00:01.000Z',
        address: 'unknown',
        current: true,
      },
      expect.objectContaining({ created_at: '2026-03-01T00:00:00.000Z', current: false }),
    ])
    expect(next).toBeUndefined()
  })

  test('have the address of the last sign-in or refresh, and none without one', async () => {
    service = await startService({ app: { trustProxy: 1 } })
    studio = await openStudio(service, 'free', EMAIL)
    service.clock.advance(1)
    const token = await login({ 'x-forwarded-for': '203.0.113.7' })
    expect((await list(token)).data[0].address).toBe('203.0.113.7')
    const headers = { 'x-forwarded-for': '203.0.113.8' }
    const { body } = await service.call('POST /v1/auth/refresh', { token, headers })
    expect((await list(body.token)).data[0].address).toBe('203.0.113.8')
    const embedded = await service.matchyard.accounts.signIn({ accountId: studio.accountId })
    service.clock.advance(1)
    const shown = (await list(embedded.token)).data.find(({ current }: { current: boolean }) => current)
    expect(shown.address).toBeNull()
  })

  test('leave out those that ended, expired, or that an operator ended, and those of others', async () => {
    await openStudio(service, 'free')
    const [first, second] = [await login(), await login()]
    await service.call('POST /v1/auth/logout', { token: first })
    await service.call('POST /v1/auth/refresh', { token: second })
    expect((await list(studio.token)).data).toHaveLength(2)
    service.clock.advance(100 * HOUR)
    const third = await login()
    service.clock.advance(100 * HOUR)
    expect((await list(third)).data).toEqual([expect.objectContaining({ current: true })])
    await service.matchyard.accounts.setPassword({ accountId: studio.accountId, password: 'correct horse' })
    expect((await list(await login())).data).toHaveLength(1)
  })

  test('are read page by page, and a wrong cursor or limit is refused', async () => {
    for (let n = 0; n < 4; n++) await login()
    const ids: string[] = []
    for (let cursor = ''; ; ) {
      const page = await list(studio.token, `?limit=2${cursor}`)
      ids.push(...page.data.map((session: { session_id: string }) => session.session_id))
      expect(page.data.length).toBeLessThanOrEqual(2)
      if (page.next_cursor === undefined) break
      cursor = `&cursor=${page.next_cursor}`
    }
    expect(new Set(ids).size).toBe(5)
    for (const query of ['?limit=0', '?limit=201', '?cursor=-', '?cursor='])
      expect((await service.call(`GET ${PATH}${query}`, { token: studio.token })).status).toBe(400)
  })
})

describe('a session that its account ends', () => {
  test('is refused at once, the others stay, and a second end changes nothing', async () => {
    const other = await login()
    const id = await idOf(other)
    expect((await end(studio.token, id)).status).toBe(204)
    const { status, body } = await service.call('GET /v1/account', { token: other })
    expect([status, body.code]).toEqual([401, 'INVALID_SESSION_TOKEN'])
    expect((await end(studio.token, id)).status).toBe(204)
    expect((await list(studio.token)).data).toHaveLength(1)
  })

  test('may be the one that asks', async () => {
    expect((await end(studio.token, await idOf(studio.token))).status).toBe(204)
    expect((await service.call('GET /v1/account', { token: studio.token })).status).toBe(401)
  })

  test('is none of another account, and none that never was', async () => {
    const stranger = await openStudio(service, 'free')
    for (const id of [await idOf(studio.token), 'ses_none']) {
      const { status, body } = await end(stranger.token, id)
      expect([status, body.code]).toEqual([404, 'SESSION_NOT_FOUND'])
    }
    expect((await list(studio.token)).data).toHaveLength(1)
  })

  test('is in the audit log of the account, without its address', async () => {
    const id = await idOf(await login({}))
    await end(studio.token, id)
    await end(studio.token, id)
    const { data } = (await service.call('GET /v1/audit?operation=sessions.end', { token: studio.token })).body
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({
      ...{ operation: 'sessions.end', project_id: null, account_id: studio.accountId },
      target: { kind: 'session', id },
      changes: [{ kind: 'session', id, change: 'changed', fields: [{ name: 'ended', after: 'ended_by_account' }] }],
    })
  })
})
