import { ROLES, type Role } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { beforeAll, describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../src/index'
import { OPERATIONS, type Operation } from '../src/operations'
import { type CallOptions, headersOf } from './harness/client'
import { type Service, startService } from './harness/service'
import { makeBuild, makeQueue, openStudio, type Studio } from './harness/studio'

const all = Object.keys(OPERATIONS) as Operation[]
const takes = (operation: Operation, kind: 'session' | 'server') => OPERATIONS[operation].credentials.includes(kind)
const withRole = all.filter((operation) => OPERATIONS[operation].role !== null)

/** Operations that sessions or server keys may call although they are about no project of which one can be a member. */
const ABOUT_THE_ACCOUNT: readonly Operation[] = [
  'auth.refresh',
  'auth.logout',
  'sessions.list',
  'sessions.end',
  'secondFactor.get',
  'secondFactor.begin',
  'secondFactor.activate',
  'secondFactor.remove',
  'account.get',
  'projects.create',
  'projects.list',
  'billing.plan',
  'billing.upgrade',
  'billing.downgrade',
  'billing.usage',
  'billing.replacePaymentMethod',
  'machines.list',
  'machines.cordon',
  'machines.uncordon',
  'machines.drain',
  'machines.mintToken',
  'machines.revokeToken',
]

test('every operation of sessions and server keys has a least role, except those about the account', () => {
  const without = all.filter(
    (operation) => (takes(operation, 'session') || takes(operation, 'server')) && OPERATIONS[operation].role === null,
  )
  expect(without.sort()).toEqual([...ABOUT_THE_ACCOUNT].sort())
  // No other credential has a role.
  expect(withRole.filter((operation) => !takes(operation, 'session') && !takes(operation, 'server'))).toEqual([])
})

interface Person {
  readonly token: string
  readonly accountId: string
}

/** A project with one of each thing, its member, and a server key that the member minted. */
interface Scene {
  readonly studio: Studio
  readonly member: Person
  /** Another member with the same role, which `members.remove` removes. */
  readonly leaver: Person
  readonly key: string
  readonly ids: Readonly<Record<string, string>>
}

let service: Service
let stranger: Studio
let commits = 0
const scenes = new Map<Role, Scene>()

beforeAll(async () => {
  const storage = memoryStorage()
  const counting = {
    ...storage,
    commit: (commit: Parameters<typeof storage.commit>[0]) => {
      commits++
      return storage.commit(commit)
    },
  }
  service = await startService({ core: { storage: counting } })
  stranger = await openStudio(service)
  for (const role of ROLES) scenes.set(role, await sceneOf(role))
})

async function sceneOf(role: Role): Promise<Scene> {
  const studio = await openStudio(service)
  await makeQueue(service, studio, { queue_id: 'none' })
  const build = await makeBuild(service, studio)
  const owner = { token: studio.token }
  const query = `project_id=${studio.projectId}`
  const server = await service.call(`POST /v1/servers?${query}`, { ...owner, body: { version_tag: 'arena' } })
  await service.settle()
  const hook = { url: 'https://studio.example/hooks' }
  const webhook = await service.call(`POST /v1/webhooks?${query}`, { ...owner, body: hook })
  const [member, leaver] = [await memberOf(studio, role), await memberOf(studio, role)]
  const other = await memberOf(studio, 'viewer')
  const minted = await mint(studio, member.token)
  const invitation = await inviteTo(studio, 'viewer')
  return {
    studio,
    member,
    leaver,
    key: minted.key,
    ids: {
      project_id: studio.projectId,
      build_id: build.build_id,
      instance_id: server.body.instance_id,
      webhook_id: webhook.body.webhook_id,
      key_id: (await mint(studio, member.token)).key_id,
      account_id: other.accountId,
      invitation_id: invitation.invitation_id,
    },
  }
}

const inviteTo = async ({ projectId, token }: Studio, role: Role) =>
  (await service.call(`POST /v1/projects/${projectId}/members`, { token, body: { role } })).body

async function memberOf(studio: Studio, role: Role): Promise<Person> {
  const { token } = await openStudio(service, 'free')
  const body = { token: (await inviteTo(studio, role)).token }
  const { body: joined } = await service.call('POST /v1/auth/join', { token, body })
  return { token, accountId: joined.account_id }
}

const mint = async ({ projectId }: Studio, token: string) => {
  const { status, body, text } = await service.call(`POST /v1/projects/${projectId}/keys`, {
    token,
    body: { type: 'server', expires_in: 3_600 },
  })
  expect(status, text).toBe(201)
  return body
}

/** Bodies that a route accepts, because the body of a session's call is checked before the role of the session. */
const BODIES: Partial<Record<Operation, object>> = {
  'bans.set': {},
  'builds.createUpload': { name: 'arena', executable_path: 'server' },
  'builds.registerImage': { name: 'arena', image_url: 'example.com/arena:1' },
  'builds.update': { disabled: false },
  'keys.mint': { type: 'server', expires_in: 600 },
  'members.invite': { role: 'viewer' },
  'members.setRole': { role: 'support' },
  'problems.mute': { minutes: 5 },
  'projects.setBudget': { monthly_usd: 100 },
  'projects.setPlayerAuth': { mode: 'trusted' },
  'secrets.set': { value: 'x' },
  'servers.create': { version_tag: 'arena' },
  'webhooks.create': { url: 'https://studio.example/other' },
  'webhooks.update': { description: 'A' },
}
/** Streams stay open until their reader cancels them. */
const STREAMS: readonly Operation[] = ['projects.events', 'lobbies.events']

interface Sent {
  readonly status: number
  readonly code: string | undefined
}

/** Sends the call of an operation about the things of a scene. */
async function send(operation: Operation, scene: Scene, caller: CallOptions): Promise<Sent> {
  const route = ENDPOINTS.find((endpoint) => endpoint.operation === operation)
  if (route === undefined) throw new Error(`no route for ${operation}`)
  const { ids, studio, leaver } = scene
  const about = operation === 'members.remove' ? { ...ids, account_id: leaver.accountId } : ids
  const filled = route.path.replace(/\{([^}]+)\}/g, (_, name: string) => about[name] ?? 'none')
  const named = caller.token !== undefined && !route.path.includes('{project_id}')
  const path = named && namesProject(operation) ? `${filled}?project_id=${studio.projectId}` : filled
  const body = BODIES[operation]
  const options = { ...caller, ...(body === undefined ? {} : { body }), player: 'ann' }
  if (STREAMS.includes(operation)) {
    const response = await service.app.request(path, { headers: headersOf(options) })
    const isOpen = response.status === 200
    const code = isOpen ? undefined : ((await response.json()) as { code?: string }).code
    if (isOpen) await response.body?.cancel()
    return { status: response.status, code }
  }
  const { status, body: answer } = await service.call(`${route.method.toUpperCase()} ${path}`, options)
  return { status, code: answer?.code }
}

const namesProject = (operation: Operation) =>
  operation === 'audit.list' ||
  (!OPERATIONS[operation].fields.some(({ name }) => name === 'accountId') &&
    OPERATIONS[operation].fields.some(({ name }) => name === 'projectId'))

/** Operations that end a thing of the scene come last, so that the calls before them find it. */
const ENDING: readonly Operation[] = [
  'keys.revoke',
  'servers.stop',
  'builds.stop',
  'builds.delete',
  'webhooks.delete',
  'projects.delete',
]
const inOrder = [
  ...withRole.filter((operation) => !ENDING.includes(operation)),
  ...ENDING.filter((operation) => withRole.includes(operation)),
]

const cells = ROLES.flatMap((role) =>
  (['server', 'session'] as const).flatMap((kind) =>
    inOrder.filter((operation) => takes(operation, kind)).map((operation) => ({ role, kind, operation })),
  ),
)
// A server key of the member is revoked last with its role, so the calls with keys come first (see `kind` above).

describe('the address of a webhook', () => {
  // Such an address may hold a secret: that of an incoming webhook of Slack is its key.
  test.each(ROLES)('%s', async (role) => {
    const scene = scenes.get(role)
    if (scene === undefined) throw new Error('no scene')
    const { member, key, ids, studio } = scene
    const seen =
      ROLES.indexOf(role) < ROLES.indexOf('admin') ? 'https://studio.example/…' : 'https://studio.example/hooks'
    const one = `/v1/webhooks/${ids.webhook_id}`
    for (const caller of [{ key }, { token: member.token }]) {
      const query = 'key' in caller ? '' : `?project_id=${studio.projectId}`
      const { body: list } = await service.call(`GET /v1/webhooks${query}`, caller)
      expect(list).toMatchObject({ total: 1, data: [{ url: seen }] })
      expect((await service.call(`GET ${one}`, caller)).body.url).toBe(seen)
      if (ROLES.indexOf(role) < ROLES.indexOf('developer')) continue
      const { body: changed } = await service.call(`PATCH ${one}`, { ...caller, body: { description: role } })
      expect(changed).toMatchObject({ url: seen, description: role })
      const { status } = await service.call(`PATCH ${one}`, { ...caller, body: { url: 'https://studio.example/…' } })
      expect(status).toBe(400)
      expect((await service.call(`POST ${one}/rotate-secret`, caller)).body).toMatchObject({ url: seen })
    }
    const { body: own } = await service.call(`GET ${one}`, { token: studio.token })
    expect(own.url).toBe('https://studio.example/hooks')
    expect((await service.call('GET /v1/webhooks', { key: studio.server })).body.data[0].url).toBe(own.url)
  })
})

describe('every role and every operation', () => {
  test.each(cells)('$role with a $kind: $operation', async ({ role, kind, operation }) => {
    const scene = scenes.get(role)
    if (scene === undefined) throw new Error('no scene')
    const session = operation === 'members.remove' ? scene.leaver.token : scene.member.token
    const caller = kind === 'server' ? { key: scene.key } : { token: session }
    const before = commits
    const { status, code } = await send(operation, scene, caller)
    const least = OPERATIONS[operation].role ?? 'owner'
    if (ROLES.indexOf(role) < ROLES.indexOf(least)) {
      expect([status, code]).toEqual([403, 'ROLE_NOT_ALLOWED'])
      expect(commits).toBe(before)
      return
    }
    expect(['ROLE_NOT_ALLOWED', 'PROJECT_NOT_FOUND', 'CREDENTIAL_NOT_ALLOWED']).not.toContain(code)
    expect(status).not.toBe(401)
    expect(status).toBeLessThan(500)
  })
})

describe('a stranger', () => {
  const ofSessions = inOrder.filter((operation) => takes(operation, 'session') && operation !== 'regions.list')

  test.each(ofSessions)('is told that nothing is there: %s', async (operation) => {
    // The project of the owner's scene was deleted by the calls above.
    const scene = scenes.get('viewer')
    if (scene === undefined) throw new Error('no scene')
    const before = commits
    const { status, code } = await send(operation, scene, { token: stranger.token })
    expect(status).toBe(404)
    expect(code).toMatch(/^(PROJECT|BUILD|SERVER|WEBHOOK)_NOT_FOUND$/)
    expect(commits).toBe(before)
  })
})
