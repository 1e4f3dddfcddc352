import { beforeEach, describe, expect, test } from 'vitest'
import { type Service, startService } from './harness/service'
import { openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio
let members: string

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
  members = `/v1/projects/${studio.projectId}/members`
})

interface Person {
  readonly token: string
  readonly accountId: string
}

async function invite(role: string, token = studio.token): Promise<string> {
  const { status, body, text } = await service.call(`POST ${members}`, { token, body: { role } })
  expect(status, text).toBe(201)
  return body.token
}

let people = 0

/** Adds a member with a new account. */
async function joined(role: string, by = studio.token): Promise<Person> {
  const account = { email: `person${++people}@example.com`, password: 'long enough', name: 'Eve' }
  const { status, body, text } = await service.call('POST /v1/auth/join', {
    body: { token: await invite(role, by), ...account },
  })
  expect(status, text).toBe(201)
  return { token: body.session.token, accountId: body.account_id }
}

const mint = (token: string, body: object = { type: 'server' }) =>
  service.call(`POST /v1/projects/${studio.projectId}/keys`, { token, body })

const codeOf = async (answer: Promise<{ status: number; body: { code?: string } }>) => {
  const { status, body } = await answer
  return [status, body?.code]
}

const FORBIDDEN = [403, 'ROLE_NOT_ALLOWED']
const NO_PROJECT = [404, 'PROJECT_NOT_FOUND']

describe('an invitation', () => {
  test('lets an account join once, and shows its token once', async () => {
    const { token, accountId } = await openStudio(service, 'free')
    const { body: made } = await service.call(`POST ${members}`, {
      token: studio.token,
      body: { role: 'support', email: 'eve@example.com' },
    })
    expect(made).toMatchObject({ role: 'support', email: 'eve@example.com', invited_by: studio.accountId })
    const before = (await service.call(`GET ${members}`, { token: studio.token })).body
    expect(before.invitations).toEqual([expect.not.objectContaining({ token: expect.anything() })])
    const { status, body } = await service.call('POST /v1/auth/join', { token, body: { token: made.token } })
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ project_id: studio.projectId, account_id: accountId, role: 'support' }),
    ])
    expect(body.session).toBeUndefined()
    const after = (await service.call(`GET ${members}`, { token })).body
    expect(after.members.map((one: { role: string; owns_project: boolean }) => [one.role, one.owns_project])).toEqual([
      ['owner', true],
      ['support', false],
    ])
    expect(after.invitations).toEqual([])
    const other = await openStudio(service, 'free')
    const again = service.call('POST /v1/auth/join', { token: other.token, body: { token: made.token } })
    expect(await codeOf(again)).toEqual([404, 'INVITATION_NOT_FOUND'])
  })

  test('makes an account on a closed installation, which owns no projects', async () => {
    const closed = await startService({ app: { registration: 'closed' } })
    const account = await closed.matchyard.accounts.create({
      email: 'op@example.com',
      password: 'long enough',
      name: 'Op',
      project: { name: 'Arena' },
    })
    const { token } = await closed.matchyard.members.invite({
      accountId: account.id,
      projectId: account.first?.project.id ?? '',
      role: 'developer',
    })
    const eve = { email: 'eve@example.com', password: 'long enough', name: 'Eve' }
    expect(await codeOf(closed.call('POST /v1/auth/register', { body: eve }))).toEqual([403, 'REGISTRATION_CLOSED'])
    const { status, body } = await closed.call('POST /v1/auth/join', { body: { token, ...eve } })
    expect(status).toBe(201)
    const { token: session } = body.session
    const create = closed.call('POST /v1/projects', { token: session, body: { name: 'Mine' } })
    expect(await codeOf(create)).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
    expect((await closed.call('GET /v1/projects', { token: session })).body.data).toMatchObject([
      { name: 'Arena', role: 'developer' },
    ])
  })

  test('ends after 7 days, when it is cancelled, and with the membership of its maker', async () => {
    const old = await invite('viewer')
    service.clock.advance(7 * 86_400_000 - 60_000)
    studio = { ...studio, token: (await login()).token }
    const admin = await joined('admin')
    const ofAdmin = await invite('viewer', admin.token)
    const cancelled = await invite('viewer')
    const { body } = await service.call(`GET ${members}`, { token: studio.token })
    const last = body.invitations.at(-1).invitation_id
    const path = `/v1/projects/${studio.projectId}/invitations/${last}`
    expect((await service.call(`DELETE ${path}`, { token: studio.token })).status).toBe(204)
    expect(await codeOf(service.call(`DELETE ${path}`, { token: studio.token }))).toEqual([404, 'INVITATION_NOT_FOUND'])
    expect((await service.call(`DELETE ${members}/${admin.accountId}`, { token: studio.token })).status).toBe(204)
    service.clock.advance(60_000)
    const { token } = await openStudio(service, 'free')
    for (const gone of [old, ofAdmin, cancelled]) {
      const answer = service.call('POST /v1/auth/join', { token, body: { token: gone } })
      expect(await codeOf(answer)).toEqual([404, 'INVITATION_NOT_FOUND'])
    }
  })

  test('is refused for a member, and stays valid', async () => {
    const eve = await joined('viewer')
    const token = await invite('developer')
    const again = service.call('POST /v1/auth/join', { token: eve.token, body: { token } })
    expect(await codeOf(again)).toEqual([409, 'CONFLICT'])
    const { token: other } = await openStudio(service, 'free')
    expect((await service.call('POST /v1/auth/join', { token: other, body: { token } })).status).toBe(201)
  })

  test('needs a whole account without a session, and none with one', async () => {
    const token = await invite('viewer')
    const bare = await service.call('POST /v1/auth/join', { body: { token } })
    expect(bare.body.details.issues.map(({ path }: { path: string }) => path)).toEqual(['email', 'password', 'name'])
    const both = await service.call('POST /v1/auth/join', { token: studio.token, body: { token, name: 'A' } })
    expect([both.status, both.body.code]).toEqual([400, 'VALIDATION_FAILED'])
    const badly = await service.call('POST /v1/auth/join', { token: 'x', body: { token } })
    expect([badly.status, badly.body.code]).toEqual([401, 'INVALID_SESSION_TOKEN'])
  })

  test('is tried from one address at most 30 times in ten minutes with a wrong token', async () => {
    const body = { token: 'inv_live_x', email: 'a@example.com', password: 'long enough', name: 'A' }
    const attempt = () => codeOf(service.call('POST /v1/auth/join', { body }))
    for (let n = 0; n < 30; n++) expect(await attempt()).toEqual([404, 'INVITATION_NOT_FOUND'])
    expect(await attempt()).toEqual([429, 'RATE_LIMITED'])
    expect((await joined('viewer')).accountId).toMatch(/^acc_/)
  })

  test('past the hundredth of a project is refused until one has expired', async () => {
    const { matchyard } = service
    const input = { accountId: studio.accountId, projectId: studio.projectId, role: 'viewer' } as const
    for (let n = 0; n < 100; n++) await matchyard.members.invite(input)
    await expect(matchyard.members.invite(input)).rejects.toMatchObject({ code: 'PLAN_LIMIT_EXCEEDED' })
    service.clock.advance(7 * 86_400_000)
    await matchyard.members.invite(input)
    const { role: _, ...project } = input
    expect((await matchyard.members.list(project)).invitations).toHaveLength(1)
  })
})

/** Logs the owner in again, because sessions end after seven days. */
async function login(): Promise<{ token: string }> {
  const { matchyard } = service
  return matchyard.accounts.signIn({ accountId: studio.accountId })
}

describe('roles', () => {
  test('nobody grants or takes more than their own role', async () => {
    const [admin, other, owner] = [await joined('admin'), await joined('viewer'), await joined('owner')]
    const set = (by: Person | Studio, whom: Person, role: string) =>
      codeOf(service.call(`PATCH ${members}/${whom.accountId}`, { token: by.token, body: { role } }))
    expect(await codeOf(service.call(`POST ${members}`, { token: admin.token, body: { role: 'owner' } }))).toEqual(
      FORBIDDEN,
    )
    expect(await set(admin, other, 'owner')).toEqual(FORBIDDEN)
    expect(await set(admin, owner, 'viewer')).toEqual(FORBIDDEN)
    expect(await set(other, other, 'admin')).toEqual(FORBIDDEN)
    expect(await set(admin, other, 'admin')).toEqual([200, undefined])
    expect(await codeOf(service.call(`DELETE ${members}/${owner.accountId}`, { token: admin.token }))).toEqual(
      FORBIDDEN,
    )
    expect(await set(owner, admin, 'viewer')).toEqual([200, undefined])
    // The account of the project has no record: it cannot be changed or removed.
    const { accountId } = studio
    expect(await set(owner, { token: '', accountId }, 'viewer')).toEqual([404, 'MEMBER_NOT_FOUND'])
    expect(await codeOf(service.call(`DELETE ${members}/${accountId}`, { token: owner.token }))).toEqual([
      404,
      'MEMBER_NOT_FOUND',
    ])
    expect(await codeOf(service.call(`DELETE ${members}/${accountId}`, { token: studio.token }))).toEqual([
      404,
      'MEMBER_NOT_FOUND',
    ])
  })

  test('decide which keys may be minted', async () => {
    const table = [
      { role: 'viewer', may: ['server for a time'] },
      { role: 'support', may: ['server for a time'] },
      { role: 'developer', may: ['server for a time', 'server', 'client for a time'] },
      { role: 'admin', may: ['server for a time', 'server', 'client for a time', 'client'] },
      { role: 'owner', may: ['server for a time', 'server', 'client for a time', 'client'] },
    ]
    for (const { role, may } of table) {
      const { token, accountId } = await joined(role)
      for (const type of ['server', 'client']) {
        for (const time of [{}, { expires_in: 600 }]) {
          const name = 'expires_in' in time ? `${type} for a time` : type
          const { status, body } = await mint(token, { type, ...time })
          if (!may.includes(name)) {
            expect([status, body.code], `${role} ${name}`).toEqual(FORBIDDEN)
            continue
          }
          expect(status, `${role} ${name}`).toBe(201)
          const person = type === 'server' ? { minted_by: accountId, role } : { minted_by: null, role: null }
          expect(body, `${role} ${name}`).toMatchObject(person)
        }
      }
    }
  })

  test('of the keys follow the role of their member', async () => {
    const eve = await joined('developer')
    const { key } = (await mint(eve.token)).body
    const queue = { queue_id: 'q', name: 'Q' }
    expect((await service.call('POST /v1/queues', { key, body: queue })).status).toBe(201)
    await service.call(`PATCH ${members}/${eve.accountId}`, { token: studio.token, body: { role: 'viewer' } })
    expect(await codeOf(service.call('DELETE /v1/queues/q', { key }))).toEqual(FORBIDDEN)
    expect((await service.call('GET /v1/queues/q', { key })).status).toBe(200)
    const caller = await service.matchyard.access.authenticateKey(key)
    expect(caller).toMatchObject({ kind: 'server', person: eve.accountId, role: 'viewer', accountId: studio.accountId })
  })

  test('let a member revoke its own keys, and an administrator all', async () => {
    const [eve, admin] = [await joined('developer'), await joined('admin')]
    const ids = [(await mint(eve.token)).body, (await mint(admin.token)).body].map(({ key_id }) => key_id)
    const revoke = (by: Person, id: string) =>
      codeOf(service.call(`DELETE /v1/projects/${studio.projectId}/keys/${id}`, { token: by.token }))
    expect(await revoke(eve, ids[1])).toEqual(FORBIDDEN)
    expect(await revoke(eve, ids[0])).toEqual([204, undefined])
    expect(await revoke(admin, ids[1])).toEqual([204, undefined])
  })
})

describe('a removal', () => {
  test('ends the access of sessions and server keys at once, and keeps client keys', async () => {
    const eve = await joined('admin')
    const server = (await mint(eve.token)).body.key
    const client = (await mint(eve.token, { type: 'client' })).body.key
    expect((await service.call(`GET /v1/projects/${studio.projectId}`, { token: eve.token })).body.role).toBe('admin')
    expect((await service.call(`DELETE ${members}/${eve.accountId}`, { token: studio.token })).status).toBe(204)
    expect(await codeOf(service.call(`GET /v1/projects/${studio.projectId}`, { token: eve.token }))).toEqual(NO_PROJECT)
    expect(await codeOf(mint(eve.token))).toEqual(NO_PROJECT)
    expect(await codeOf(service.call('GET /v1/queues', { key: server }))).toEqual([401, 'INVALID_API_KEY'])
    expect((await service.call('GET /v1/lobbies', { key: client, player: 'ann' })).status).toBe(200)
    expect((await service.call('GET /v1/projects', { token: eve.token })).body.data).toEqual([])
    expect(await codeOf(service.call(`DELETE ${members}/${eve.accountId}`, { token: studio.token }))).toEqual([
      404,
      'MEMBER_NOT_FOUND',
    ])
  })

  test('hands the durable server keys over to the caller', async () => {
    const [eve, admin] = [await joined('developer'), await joined('admin')]
    const durable = (await mint(eve.token)).body
    const brief = (await mint(eve.token, { type: 'server', expires_in: 600 })).body
    const path = `${members}/${eve.accountId}?keys=hand_over`
    expect((await service.call(`DELETE ${path}`, { token: admin.token })).status).toBe(204)
    expect((await service.call('GET /v1/queues', { key: durable.key })).status).toBe(200)
    expect(await codeOf(service.call('GET /v1/queues', { key: brief.key }))).toEqual([401, 'INVALID_API_KEY'])
    const caller = await service.matchyard.access.authenticateKey(durable.key)
    expect(caller).toMatchObject({ person: admin.accountId, role: 'developer' })
    await service.call(`DELETE ${members}/${admin.accountId}`, { token: studio.token })
    expect(await codeOf(service.call('GET /v1/queues', { key: durable.key }))).toEqual([401, 'INVALID_API_KEY'])
  })

  test('can be made by the member itself', async () => {
    const [eve, bob] = [await joined('viewer'), await joined('viewer')]
    expect(await codeOf(service.call(`DELETE ${members}/${bob.accountId}`, { token: eve.token }))).toEqual(FORBIDDEN)
    expect((await service.call(`DELETE ${members}/${eve.accountId}`, { token: eve.token })).status).toBe(204)
    expect(await codeOf(service.call(`GET ${members}`, { token: eve.token }))).toEqual(NO_PROJECT)
  })
})

test('the keys of a member whose account is disabled are refused, and the grants of a disabled owner end', async () => {
  const eve = await joined('developer')
  const { key } = (await mint(eve.token)).body
  await service.matchyard.accounts.disable({ accountId: eve.accountId })
  expect(await codeOf(service.call('GET /v1/queues', { key }))).toEqual([401, 'INVALID_API_KEY'])
  const bob = await joined('developer')
  await service.matchyard.accounts.disable({ accountId: studio.accountId })
  expect(await codeOf(service.call(`GET /v1/projects/${studio.projectId}`, { token: bob.token }))).toEqual(NO_PROJECT)
})

test('the projects of a session are its own, then those of which it is a member', async () => {
  const eve = await openStudio(service, 'free')
  await service.call('POST /v1/auth/join', { token: eve.token, body: { token: await invite('viewer') } })
  const all = (await service.call('GET /v1/projects', { token: eve.token })).body
  const ids = all.data.map((one: { project_id: string; role: string }) => [one.project_id, one.role])
  expect(ids).toEqual([
    [eve.projectId, 'owner'],
    [studio.projectId, 'viewer'],
  ])
  const second = (await service.call('GET /v1/projects?limit=1&offset=1', { token: eve.token })).body
  expect(second.data.map((one: { project_id: string }) => one.project_id)).toEqual([studio.projectId])
  const past = (await service.call('GET /v1/projects?limit=1&offset=2', { token: eve.token })).body
  expect(past.data).toEqual([])
})
