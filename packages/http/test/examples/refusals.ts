import type { ErrorCode } from '@matchyard/core'
import { MAX_LOBBY_BANS, MAX_SEARCHES } from '@matchyard/core/domain'
import { memoryStorage } from '@matchyard/storage-memory'
import { generateSync } from 'otplib/functional'
import type { ErrorExample } from '../../src/error-pages/error-pages'
import { HTTP_ERRORS } from '../../src/error-status'
import type { Answer, CallOptions } from '../harness/client'
import { signedStudio } from '../harness/player-auth'
import { type Service, type ServiceOptions, startService } from '../harness/service'
import { makeBuild, makeLobby, makeMatch, makeQueue, openStudio, type Studio } from '../harness/studio'

const DAY = 86_400_000
/** Headers of an answer that tell the caller what to do. */
const TELLING = ['retry-after', 'allow', 'www-authenticate']
/** Characters of a raw body from which an example omits it, because it would show nothing. */
const SHOWN = 2_000

/**
 * Codes that no answer has. `SERVER_LAUNCH_FAILED` is only a reason in events and logs (docs/http-api.md §1): its lobby
 * returns to `waiting`. No route takes the token of a machine yet.
 */
export const UNANSWERED = ['SERVER_LAUNCH_FAILED', 'INVALID_MACHINE_TOKEN'] as const satisfies readonly ErrorCode[]

/** Codes that an answer may have. */
export type Answered = Exclude<ErrorCode, (typeof UNANSWERED)[number]>
export const ANSWERED = (Object.keys(HTTP_ERRORS) as ErrorCode[]).filter(
  (code): code is Answered => !(UNANSWERED as readonly ErrorCode[]).includes(code),
)

export interface Refused {
  readonly answer: Answer
  readonly example: ErrorExample
}

/**
 * Provokes a code in a separate service, in which ids and times are always the same. Resolves to the answer and its
 * example.
 */
export async function refusedWith(code: Answered): Promise<Refused> {
  const sent = new Map<Answer, readonly [what: string, options: CallOptions]>()
  const start = async (options?: ServiceOptions): Promise<Service> => {
    const service = await startService(options)
    const call = async (what: string, given: CallOptions = {}) => {
      const headers = { 'x-request-id': 'req_0f6c2f5e8f6b4d0c9b7e1a2d3c4b5a69', ...given.headers }
      const answer = await service.call(what, { ...given, headers })
      sent.set(answer, [what, given])
      return answer
    }
    return { ...service, call }
  }
  const service = await start()
  const studio = await openStudio(service)
  await makeQueue(service, studio)
  const answer = await provocations({ service, studio, start })[code]()
  const [what, given] = sent.get(answer) ?? ['', {}]
  const { body, raw } = given
  const [method = '', path = ''] = what.split(' ')
  const text = typeof raw === 'string' && raw.length < SHOWN ? raw : undefined
  const example = {
    method,
    path,
    sent: shownOf(given),
    ...(body === undefined && text === undefined ? {} : { body: body ?? text }),
    status: answer.status,
    headers: Object.fromEntries(
      TELLING.flatMap((name) => (answer.headers.has(name) ? [[name, answer.headers.get(name) ?? '']] : [])),
    ),
    answer: answer.body,
  }
  return { answer, example }
}

/** Returns the headers that explain a request, without secrets. */
function shownOf({ key, token, player, headers = {} }: CallOptions): Record<string, string> {
  const { 'content-type': mediaType, 'idempotency-key': once } = headers
  return {
    ...(key === undefined ? {} : { 'api-key': `${key.slice(0, 8)}…` }),
    ...(token === undefined ? {} : { authorization: 'Bearer …' }),
    ...(player === undefined ? {} : { 'x-player-id': player }),
    ...(mediaType === undefined ? {} : { 'content-type': mediaType }),
    ...(once === undefined ? {} : { 'idempotency-key': once }),
  }
}

/** Resolves to the source file with the examples. */
export async function recordRefusals(): Promise<string> {
  const examples: Record<string, ErrorExample> = {}
  for (const code of ANSWERED) examples[code] = (await refusedWith(code)).example
  return `// Written by \`npm run generate\` from test/examples/refusals.ts; not to be edited by hand.
export const ERROR_EXAMPLES = ${JSON.stringify(JSON.stringify(examples))}
`
}

interface World {
  readonly service: Service
  readonly studio: Studio
  /** Starts another service, whose calls are recorded too. */
  readonly start: (options?: ServiceOptions) => Promise<Service>
}

/** Returns a function for each code that provokes it over HTTP. */
function provocations({ service, studio, start }: World): Record<Answered, () => Promise<Answer>> {
  const player = (name: string, body?: unknown) => ({
    key: studio.client,
    player: name,
    ...(body === undefined ? {} : { body }),
  })
  const lobby = async (name = 'ann', fields = {}) =>
    `/v1/lobbies/${(await makeLobby(service, studio, name, fields)).lobby_id}`
  const rule = (fields: Record<string, unknown>) => ({ teams: 2, players_per_team: 1, rules: [fields] })
  const server = async (of: Studio = studio) => {
    await makeBuild(service, of, 'arena')
    return (await service.call('POST /v1/servers', { key: of.server, body: { version_tag: 'arena' } })).body
  }

  /** Resolves to the path of ann's lobby, which has a proposed match with bob in a queue of its own. */
  const proposed = async (queue: string, check: object = {}) => {
    const matchmaking = { teams: 2, players_per_team: 1, ready_check: { timeout: 15, ...check } }
    await makeQueue(service, studio, { queue_id: queue, matchmaking })
    const [{ lobby_id: id }] = await makeMatch(service, studio, queue)
    return `/v1/lobbies/${id}`
  }

  /** Resolves to the path of a full match of ann and bob, for whose open seats friends could be kept. */
  const lateMatch = async () => {
    await makeQueue(service, studio, {
      queue_id: 'late',
      matchmaking: { teams: 2, players_per_team: 1, late_join: true },
    })
    const [{ match_id: id }] = await makeMatch(service, studio, 'late')
    return `/v1/matches/${id}`
  }

  const memberOf = async (role: string) => {
    const { projectId, token } = studio
    const invited = await service.call(`POST /v1/projects/${projectId}/members`, { token, body: { role } })
    const account = { email: `${role}@example.com`, password: 'long enough', name: 'Eve' }
    const { body } = await service.call('POST /v1/auth/join', { body: { token: invited.body.token, ...account } })
    return { projectId, member: String(body.session.token) }
  }

  return {
    INVALID_API_KEY: () => service.call('GET /v1/queues', { key: 'sk_live_x' }),
    MISSING_CREDENTIALS: () => service.call('GET /v1/queues'),
    INVALID_SESSION_TOKEN: async () => {
      const { token } = await openStudio(service, 'free')
      await service.call('POST /v1/auth/logout', { token })
      return service.call('GET /v1/account', { token })
    },
    SESSION_EXPIRED: async () => {
      const own = await start()
      const { token } = await openStudio(own, 'free')
      own.clock.advance(7 * DAY)
      return own.call('GET /v1/account', { token })
    },
    CREDENTIAL_NOT_ALLOWED: () => service.call('GET /v1/queues', { key: studio.client }),
    PLAYER_ID_REQUIRED: () => service.call('POST /v1/lobbies', { key: studio.client, body: { queue_id: 'duel' } }),
    INVALID_PLAYER_ID: () => service.call('POST /v1/lobbies', player('x'.repeat(129), { queue_id: 'duel' })),
    SECOND_FACTOR_REQUIRED: async () => {
      const { token } = await openStudio(service, 'free', 'ann@example.com')
      const { secret } = (
        await service.call('POST /v1/account/second-factor', { token, body: { password: 'correct horse' } })
      ).body
      const body = { code: generateSync({ secret, epoch: Math.floor(service.clock.now() / 1_000) }) }
      await service.call('PUT /v1/account/second-factor', { token, body })
      const login = { email: 'ann@example.com', password: 'correct horse' }
      return service.call('POST /v1/auth/login', { body: login })
    },
    SECOND_FACTOR_STATE: async () => {
      const { token } = await openStudio(service, 'free')
      return service.call('PUT /v1/account/second-factor', { token, body: { code: '123456' } })
    },
    SECOND_FACTOR_REFUSED: async () => {
      const { token } = await openStudio(service, 'free')
      return service.call('POST /v1/account/second-factor', { token, body: { password: 'wrong' } })
    },
    INVALID_LOGIN: () => service.call('POST /v1/auth/login', { body: { email: 'no@example.com', password: 'wrong' } }),
    EMAIL_TAKEN: async () => {
      const register = (email: string) =>
        service.call('POST /v1/auth/register', { body: { email, password: 'long enough', name: 'A' } })
      await register('taken@example.com')
      return register('TAKEN@example.com')
    },
    PLAYER_TOKEN_REQUIRED: async () => {
      const own = await signedStudio(service)
      return service.call('POST /v1/lobbies', { key: own.client, player: 'ann', body: { queue_id: 'duel' } })
    },
    INVALID_PLAYER_TOKEN: async () => {
      const own = await signedStudio(service)
      return service.call('POST /v1/lobbies', { key: own.client, token: 'x', body: { queue_id: 'duel' } })
    },
    REGISTRATION_CLOSED: async () => {
      const own = await start({ app: { registration: 'closed' } })
      return own.call('POST /v1/auth/register', { body: { email: 'a@b.example', password: 'long enough', name: 'A' } })
    },
    MACHINE_NOT_FOUND: async () => {
      const wish = { email: 'operator@example.com', password: 'long enough', name: 'Operator', operator: true }
      const { id: accountId } = await service.matchyard.accounts.create(wish)
      const { token } = await service.matchyard.accounts.signIn({ accountId })
      return service.call('POST /v1/machines/fra-9/cordon', { token })
    },
    SERVER_NOT_FOUND: () => service.call('GET /v1/servers/srv_none', { key: studio.server }),
    INVALID_SERVER_STATE: async () => {
      const { instance_id: id } = await server()
      return service.call(`POST /v1/servers/${id}/restart`, { key: studio.server })
    },
    BUILD_NOT_FOUND: () => service.call('GET /v1/builds/bld_none', { key: studio.server }),
    BUILD_NOT_READY: () => service.call('POST /v1/servers', { key: studio.server, body: { version_tag: 'nope' } }),
    BUILD_IN_USE: async () => {
      const { instance_id: id } = await server()
      await service.settle()
      const { body } = await service.call(`GET /v1/servers/${id}`, { key: studio.server })
      return service.call(`DELETE /v1/builds/${body.build_id}`, { key: studio.server })
    },
    UPLOAD_REJECTED: () => service.call('PUT /v1/uploads/bld_none?expires=1&signature=x', { raw: 'PK' }),
    LOBBY_NOT_FOUND: () => service.call('GET /v1/lobbies/lob_none', { key: studio.client }),
    LOBBY_FULL: async () => service.call(`POST ${await lobby('ann', { max_players: 1 })}/join`, player('bob')),
    PLAYER_NOT_IN_LOBBY: async () => service.call(`POST ${await lobby()}/leave`, player('eve')),
    NOT_HOST: async () => service.call(`POST ${await lobby()}/start`, player('eve')),
    INVALID_INVITE_CODE: () => service.call('POST /v1/lobbies/join', player('bob', { invite_code: 'NOPE' })),
    PLAYER_STATE_FORBIDDEN: async () => {
      const path = await lobby()
      await service.call(`POST ${path}/join`, player('bob'))
      return service.call(`PATCH ${path}/players/ann`, player('bob', { state: { a: 1 } }))
    },
    INVALID_LOBBY_STATE: async () => service.call(`DELETE ${await lobby('zoe')}/queue`, player('zoe')),
    LOBBY_NOT_ACCEPTING: async () =>
      service.call(`POST ${await lobby('ann', { is_private: true })}/join`, player('bob')),
    INVITE_CODES_EXHAUSTED: async () => {
      const stuck = await start({ core: { random: { int: () => 0 } } })
      const own = await openStudio(stuck)
      await makeQueue(stuck, own)
      await makeLobby(stuck, own)
      return stuck.call('POST /v1/lobbies', { key: own.client, player: 'bob', body: { queue_id: 'duel' } })
    },
    PLAYER_IN_MATCH: async () => {
      await service.call(`POST ${await lobby('max')}/start`, player('max'))
      return service.call(`POST ${await lobby('max')}/start`, player('max'))
    },
    MATCH_FULL: async () => service.call(`POST ${await lateMatch()}/seats`, player('ann', { player_id: 'eve' })),
    SEAT_NOT_FOUND: async () => service.call(`DELETE ${await lateMatch()}/seats/eve`, player('ann')),
    RESULT_EXISTS: async () => {
      const path = `${await lateMatch()}/result`
      const result = (name: string) => ({
        key: studio.server,
        body: { teams: ['team_1', 'team_2'].map((team) => ({ name: team, rank: team === name ? 1 : 2 })) },
      })
      await service.call(`POST ${path}`, result('team_1'))
      return service.call(`POST ${path}`, result('team_2'))
    },
    TOO_MANY_SEARCHES: async () => {
      for (let n = 0; n < MAX_SEARCHES; n++) await service.call(`POST ${await lobby('sam')}/queue`, player('sam'))
      return service.call(`POST ${await lobby('sam')}/queue`, player('sam'))
    },
    PLAYER_BANNED: async () => {
      const path = await lobby()
      await service.call(`POST ${path}/bans`, player('ann', { player_id: 'bob' }))
      return service.call(`POST ${path}/join`, player('bob'))
    },
    BAN_NOT_FOUND: async () => service.call(`DELETE ${await lobby()}/bans/bob`, player('ann')),
    BAN_LIMIT: async () => {
      const path = await lobby()
      for (let n = 0; n < MAX_LOBBY_BANS; n++) {
        await service.call(`POST ${path}/bans`, player('ann', { player_id: `guest ${n}` }))
      }
      return service.call(`POST ${path}/bans`, player('ann', { player_id: 'bob' }))
    },
    RATING_NOT_FOUND: () => service.call('GET /v1/ratings/nope', { key: studio.server }),
    RATING_IN_USE: async () => {
      await service.call('PUT /v1/ratings/used', { key: studio.server, body: { name: 'Used' } })
      await makeQueue(service, studio, { queue_id: 'rated', rating: 'used' })
      return service.call('DELETE /v1/ratings/used', { key: studio.server })
    },
    QUEUE_NOT_FOUND: () => service.call('POST /v1/lobbies', player('ann', { queue_id: 'nope' })),
    QUEUE_DISABLED: async () => {
      await makeQueue(service, studio, { queue_id: 'off', enabled: false })
      return service.call('POST /v1/lobbies', player('ann', { queue_id: 'off' }))
    },
    QUEUE_EXISTS: () =>
      service.call('POST /v1/queues', { key: studio.server, body: { queue_id: 'duel', name: 'Again' } }),
    QUEUE_IN_USE: async () => {
      await lobby()
      return service.call('DELETE /v1/queues/duel', { key: studio.server })
    },
    QUEUE_VERSION_NOT_FOUND: () =>
      service.call('POST /v1/queues/duel/restore', { key: studio.server, body: { version: 99 } }),
    MATCHMAKING_NOT_CONFIGURED: async () => {
      await makeQueue(service, studio, { queue_id: 'plain', matchmaking: undefined })
      return service.call(`POST ${await lobby('ann', { queue_id: 'plain' })}/queue`, player('ann'))
    },
    PARTY_TOO_LARGE: async () => {
      const path = await lobby()
      await service.call(`POST ${path}/join`, player('bob'))
      return service.call(`POST ${path}/queue`, player('ann'))
    },
    PARTY_CANNOT_MATCH: async () => {
      const matchmaking = rule({ type: 'equals', field: 'mode', required: true })
      await makeQueue(service, studio, { queue_id: 'strict', matchmaking })
      return service.call(`POST ${await lobby('ann', { queue_id: 'strict' })}/queue`, player('ann'))
    },
    INVALID_MATCH_STATE: async () => {
      const path = await lobby()
      const { match_id } = (await service.call(`POST ${path}/start`, player('ann'))).body
      return service.call(`POST /v1/matches/${match_id}/server`, { key: studio.server, body: { host: 'x', ports: [] } })
    },
    BACKFILL_NOT_FOUND: async () => {
      const { match_id } = (await service.call(`POST ${await lobby()}/start`, player('ann'))).body
      return service.call(`GET /v1/matches/${match_id}/backfill`, { key: studio.server })
    },
    MATCH_NOT_FOUND: () => service.call('GET /v1/matches/mat_none', { key: studio.client }),
    NO_PROPOSAL: async () => service.call(`POST ${await lobby()}/proposal/accept`, player('ann')),
    PROPOSAL_CHANGED: async () => {
      const path = await proposed('changed')
      return service.call(`POST ${path}/proposal/accept`, player('ann', { match_id: 'mat_before' }))
    },
    PLAYER_COOLING_DOWN: async () => {
      const path = await proposed('cooling', { penalty: 60 })
      await service.call(`POST ${path}/proposal/decline`, player('ann'))
      return service.call(`POST ${path}/queue`, player('ann'))
    },
    PLAN_LIMIT_EXCEEDED: async () => {
      const { server: key } = await openStudio(service, 'free')
      return service.call('POST /v1/queues', { key, body: { queue_id: 'duel', name: 'Duel' } })
    },
    PAYMENT_METHOD_REQUIRED: async () => {
      const { token } = await openStudio(service, 'free')
      return service.call('POST /v1/billing/upgrade', { token, body: { plan: 'pro' } })
    },
    INVALID_PLAN_CHANGE: () => service.call('POST /v1/billing/upgrade', { token: studio.token, body: { plan: 'pro' } }),
    PROJECT_NOT_FOUND: () => service.call('GET /v1/projects/prj_none', { token: studio.token }),
    PROBLEM_NOT_FOUND: () => service.call('POST /v1/problems/prb_none/acknowledge', { key: studio.server }),
    ROLE_NOT_ALLOWED: async () => {
      const { member, projectId } = await memberOf('viewer')
      return service.call(`DELETE /v1/projects/${projectId}`, { token: member })
    },
    MEMBER_NOT_FOUND: () =>
      service.call(`DELETE /v1/projects/${studio.projectId}/members/acc_none`, { token: studio.token }),
    SESSION_NOT_FOUND: () => service.call('DELETE /v1/account/sessions/ses_none', { token: studio.token }),
    INVITATION_NOT_FOUND: () =>
      service.call('POST /v1/auth/join', {
        body: { token: 'inv_live_x', email: 'eve@example.com', password: 'long enough', name: 'Eve' },
      }),
    PROJECT_HAS_RUNNING_SERVERS: async () => {
      const own = await openStudio(service)
      await server(own)
      return service.call(`DELETE /v1/projects/${own.projectId}`, { token: own.token })
    },
    VALIDATION_FAILED: () => service.call('POST /v1/lobbies', player('ann', {})),
    NOT_FOUND: () => service.call('GET /nothing'),
    METHOD_NOT_ALLOWED: () => service.call('PUT /v1/lobbies'),
    RATE_LIMITED: async () => {
      for (let n = 0; n < 5; n++) await service.call('DELETE /v1/lobbies/x/queue', player('hasty'))
      return service.call('DELETE /v1/lobbies/x/queue', player('hasty'))
    },
    PAYLOAD_TOO_LARGE: () =>
      service.call('POST /v1/lobbies', {
        ...player('ann'),
        raw: ' '.repeat(65_537),
        headers: { 'content-type': 'application/json' },
      }),
    UNSUPPORTED_MEDIA_TYPE: () =>
      service.call('POST /v1/lobbies', { ...player('ann'), raw: 'a=b', headers: { 'content-type': 'text/plain' } }),
    UNAVAILABLE: async () => {
      const down = await start()
      const { client } = await openStudio(down)
      await down.storage.close()
      return down.call('GET /v1/lobbies', { key: client })
    },
    CONFLICT: async () => {
      let held: <T>(work: () => Promise<T>) => Promise<T> = (work) => work()
      const storage = memoryStorage()
      const own = await start({
        core: { storage: { ...storage, commit: (commit) => held(() => storage.commit(commit)) } },
      })
      const there = await openStudio(own)
      await makeQueue(own, there)
      let release = () => {}
      const gate = new Promise<void>((resolve) => {
        release = resolve
      })
      const call = () =>
        own.call('POST /v1/lobbies', {
          key: there.client,
          player: 'ann',
          body: { queue_id: 'duel' },
          headers: { 'idempotency-key': 'race' },
        })
      const reached = new Promise<void>((resolve) => {
        held = async (work) => {
          resolve()
          await gate
          return work()
        }
      })
      const first = call()
      await reached
      const second = await call()
      release()
      const { status } = await first
      if (status !== 201) throw new Error(`the first call answered ${status}`)
      return second
    },
    IDEMPOTENCY_MISMATCH: async () => {
      const call = (fields: object) =>
        service.call('POST /v1/lobbies', {
          ...player('ann', { queue_id: 'duel', ...fields }),
          headers: { 'idempotency-key': 'mismatch' },
        })
      await call({})
      return call({ name: 'Other' })
    },
    INTERNAL: async () => {
      const broken = await start()
      const { client } = await openStudio(broken)
      broken.matchyard.lobbies.browse = () => Promise.reject(new TypeError('x is not a function'))
      return broken.call('GET /v1/lobbies', { key: client })
    },
    KEY_NOT_FOUND: () => service.call(`DELETE /v1/projects/${studio.projectId}/keys/key_none`, { token: studio.token }),
    WEBHOOK_NOT_FOUND: () => service.call('GET /v1/webhooks/whk_none', { key: studio.server }),
    WEBHOOK_ADDRESS_REFUSED: () =>
      service.call('POST /v1/webhooks', { key: studio.server, body: { url: 'http://example.com/hook' } }),
    WEBHOOK_LIMIT: async () => {
      const own = await openStudio(service)
      const make = () =>
        service.call('POST /v1/webhooks', { key: own.server, body: { url: 'https://example.com/hook' } })
      for (let made = 0; made < 10; made++) await make()
      return make()
    },
    SECRET_NOT_FOUND: () => service.call('DELETE /v1/secrets/NONE', { key: studio.server }),
    SECRET_LIMIT: async () => {
      const { server: key } = await openStudio(service)
      const set = (name: string) => service.call(`PUT /v1/secrets/${name}`, { key, body: { value: 'x' } })
      for (let made = 0; made < 32; made++) await set(`S${made}`)
      return set('ONE_MORE')
    },
    KEY_REVOKED: async () => {
      const keys = `/v1/projects/${studio.projectId}/keys`
      const { body: key } = await service.call(`POST ${keys}`, { token: studio.token, body: { type: 'client' } })
      await service.call(`DELETE ${keys}/${key.key_id}`, { token: studio.token })
      return service.call(`DELETE ${keys}/${key.key_id}`, { token: studio.token })
    },
  }
}
