import type { z } from '@hono/zod-openapi'
import { MAX_LIST_BYTES } from '@matchyard/core/domain'
import type { Storage } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { describe, expect, test } from 'vitest'
import { inSlices, SLICE_CHARACTERS } from '../src/exchange/in-slices'
import { ENDPOINTS } from '../src/routes/index'
import type { Body } from './harness/client'
import { type Service, startService } from './harness/service'
import { makeBuild, makeLobby, makeMatch, makeQueue, openStudio, type Studio } from './harness/studio'

const ANSWER_BYTES = 2 * MAX_LIST_BYTES

/**
 * Operations whose answers contain only lists that cannot be long, with the reason. All other lists are written in
 * slices and have a bound in bytes.
 */
const SHORT: Readonly<Record<string, string>> = {
  'members.list': 'at most 100 members and 100 invitations',
  'billing.downgrade': 'the regions of a plan',
  'billing.plan': 'the regions of a plan',
  'billing.replacePaymentMethod': 'the regions of a plan',
  'billing.upgrade': 'the regions of a plan',
  'builds.createUpload': 'a build has no list',
  'problems.list': 'the fifty gravest, a sentence each',
  'problems.acknowledge': 'a problem without lists',
  'problems.mute': 'a problem without lists',
  'history.read': 'at most 5,000 points, of 100,000 stored sums',
  'machines.list': 'the machines of one installation, at most 1,000',
  'projects.create': 'two keys',
  'projects.getPlayerAuth': 'five issuers',
  'projects.setPlayerAuth': 'five issuers',
  'queues.explain': 'the rules of a queue',
  'regions.list': 'sixteen regions with eight beacons each',
  'secondFactor.activate': 'ten recovery codes',
  'secrets.list': 'the names of at most 32 secrets',
}

/**
 * Pattern of operations that answer with a single resource. The bounds of the resource also bound the lists inside it.
 */
const SINGLE =
  /^(lobbies\.(?!browse|ofPlayer)|queues\.(create|get|update|restore|stats)|servers\.(?!list|logs)|matches\.(?!list)|webhooks\.(?!list|deliveries)|bans\.(?!list)|machines\.(?!list)|ratings\.(set|get|startSeason|calibration))/

/** Long lists, with the request for each. */
const LONG: Readonly<Record<string, (studio: Studio, made: Made) => { readonly path: string; readonly by: object }>> = {
  'projects.list': ({ token }) => ({ path: '/v1/projects', by: { token } }),
  'sessions.list': ({ token }) => ({ path: '/v1/account/sessions', by: { token } }),
  'keys.list': ({ token, projectId }) => ({ path: `/v1/projects/${projectId}/keys`, by: { token } }),
  'billing.usage': ({ token }) => ({ path: '/v1/billing/usage', by: { token } }),
  'builds.list': ({ server }) => ({ path: '/v1/builds', by: { key: server } }),
  'builds.logs': ({ server }, { buildId }) => ({ path: `/v1/builds/${buildId}/logs`, by: { key: server } }),
  'servers.list': ({ server }) => ({ path: '/v1/servers', by: { key: server } }),
  'servers.logs': ({ server }, { instanceId }) => ({ path: `/v1/servers/${instanceId}/logs`, by: { key: server } }),
  'queues.list': ({ server }) => ({ path: '/v1/queues', by: { key: server } }),
  'queues.arrivals': ({ server }) => ({ path: '/v1/queues/duel/arrivals', by: { key: server } }),
  'queues.history': ({ server }) => ({ path: '/v1/queues/duel/history', by: { key: server } }),
  'lobbies.browse': ({ client }) => ({ path: '/v1/lobbies', by: { key: client } }),
  'lobbies.ofPlayer': ({ client }) => ({ path: '/v1/players/me/lobbies', by: { key: client, player: 'ann' } }),
  'matches.list': ({ server }) => ({ path: '/v1/matches', by: { key: server } }),
  'players.self': ({ client }) => ({ path: '/v1/players/me', by: { key: client, player: 'ann' } }),
  'players.find': ({ server }) => ({ path: '/v1/players/ann', by: { key: server } }),
  'ratings.list': ({ server }) => ({ path: '/v1/ratings', by: { key: server } }),
  'ratings.seasons': ({ server }) => ({ path: '/v1/ratings/ranked/seasons', by: { key: server } }),
  'ratings.leaderboard': ({ client }) => ({ path: '/v1/ratings/ranked/leaderboard', by: { key: client } }),
  'ratings.ofPlayer': ({ client }) => ({ path: '/v1/players/ann/ratings', by: { key: client } }),
  'audit.list': ({ server }) => ({ path: '/v1/audit', by: { key: server } }),
  'bans.list': ({ server }) => ({ path: '/v1/bans', by: { key: server } }),
  'webhooks.list': ({ server }) => ({ path: '/v1/webhooks', by: { key: server } }),
  'webhooks.deliveries': ({ server }, { webhookId }) => ({
    path: `/v1/webhooks/${webhookId}/deliveries`,
    by: { key: server },
  }),
}

interface Made {
  readonly buildId: string
  readonly instanceId: string
  readonly webhookId: string
}

interface Def {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly innerType?: z.ZodType
  readonly options?: readonly z.ZodType[]
}

/** Whether a schema contains a list at any depth. */
function holdsList(schema: z.ZodType): boolean {
  const { type, shape = {}, innerType, options = [] } = schema._zod.def as unknown as Def
  const inner = [...Object.values(shape), ...options, ...(innerType === undefined ? [] : [innerType])]
  return type === 'array' || inner.some(holdsList)
}

const listing = ENDPOINTS.filter(
  ({ success: { answer, mediaType }, path }) =>
    answer !== undefined && mediaType === undefined && path.startsWith('/v1/') && holdsList(answer.answer),
)

/** Returns a storage that records the bounds in bytes with which its lists are read. */
function counted(asked: (number | undefined)[]): Storage {
  const storage = memoryStorage()
  const noting =
    <A extends unknown[], R>(list: (...args: A) => R, bytesOf: (args: A) => number | undefined) =>
    (...args: A): R => {
      asked.push(bytesOf(args))
      return list(...args)
    }
  const ofLast = (args: unknown[]) => (args.at(-1) as { maxBytes?: number }).maxBytes
  return {
    ...storage,
    accounts: { list: noting(storage.accounts.list, ofLast) },
    projects: { ...storage.projects, list: noting(storage.projects.list, ofLast) },
    apiKeys: { list: noting(storage.apiKeys.list, ofLast) },
    queues: { ...storage.queues, list: noting(storage.queues.list, ofLast) },
    builds: { ...storage.builds, list: noting(storage.builds.list, ofLast) },
    servers: { ...storage.servers, list: noting(storage.servers.list, ofLast) },
    ratings: { list: noting(storage.ratings.list, ofLast) },
    standings: { ...storage.standings, list: noting(storage.standings.list, ofLast) },
    audit: { ...storage.audit, list: noting(storage.audit.list, ofLast) },
    bans: { ...storage.bans, list: noting(storage.bans.list, ofLast) },
    deliveries: { list: noting(storage.deliveries.list, ofLast) },
    lobbies: { ...storage.lobbies, browse: noting(storage.lobbies.browse, ofLast) },
    matches: {
      ...storage.matches,
      list: noting(storage.matches.list, ofLast),
      ofPlayer: noting(storage.matches.ofPlayer, (args) => args[3]),
    },
    arrivals: { list: noting(storage.arrivals.list, ofLast) },
    tickets: { ...storage.tickets, changedSince: noting(storage.tickets.changedSince, (args) => args[3]) },
  }
}

describe('every list of the wire', () => {
  test('is long and spelled in slices, or is known to be short', () => {
    const unnamed: string[] = []
    for (const { operation, success } of listing) {
      const isLong = operation in LONG
      const isShort = operation in SHORT || SINGLE.test(operation)
      if (isLong === isShort) unnamed.push(operation)
      expect(success.answer?.pieces !== undefined, operation).toBe(isLong)
    }
    expect(unnamed).toEqual([])
    expect(listing.map(({ operation }) => operation)).toEqual(expect.arrayContaining(Object.keys(LONG)))
  })

  test('is asked of the storage with a bound in bytes, and says whether there is more', async () => {
    const asked: (number | undefined)[] = []
    const service = await startService({ core: { storage: counted(asked) } })
    const studio = await openStudio(service)
    await makeQueue(service, studio)
    const build = await makeBuild(service, studio)
    await makeMatch(service, studio)
    const launched = { key: studio.server, body: { version_tag: 'arena' } }
    const { instance_id: instanceId } = (await service.call('POST /v1/servers', launched)).body
    await service.call('PUT /v1/ratings/ranked', { key: studio.server, body: { name: 'Ranked' } })
    const hook = { key: studio.server, body: { url: 'https://studio.example/hook' } }
    const { webhook_id: webhookId } = (await service.call('POST /v1/webhooks', hook)).body
    for (const [operation, ask] of Object.entries(LONG)) {
      asked.length = 0
      const { path, by } = ask(studio, { buildId: build.build_id, instanceId, webhookId })
      const { status, body, text } = await service.call(`GET ${path}`, by)
      expect(status, text).toBe(200)
      expect(JSON.parse(text), operation).toEqual(body)
      // At most one megabyte of a build's output is kept, so its logs have no further page.
      if (operation !== 'builds.logs') expect(body.has_more, operation).toBe(false)
      for (const maxBytes of asked) expect(maxBytes, operation).toBeLessThanOrEqual(MAX_LIST_BYTES)
    }
  })
})

describe('a list of what is large', () => {
  const LOBBIES = 12
  const large = (n: number) => ({ settings: { text: String(n).padStart(15_900, 'x') } })
  const state = { text: '€'.repeat(5_000) }

  /** Creates lobbies of about 240 kB each, all with one common player. */
  async function fill(service: Service, studio: Studio): Promise<string[]> {
    await makeQueue(service, studio, { max_players: 16 })
    const made: string[] = []
    for (let n = 0; n < LOBBIES; n++) {
      const lobby = await makeLobby(service, studio, 'ann', { ...large(n), state })
      for (let m = 0; m < 14; m++) {
        const joining = { key: studio.client, player: `m${m}`, body: { state } }
        await service.call(`POST /v1/lobbies/${lobby.lobby_id}/join`, joining)
      }
      made.unshift(lobby.lobby_id)
      service.clock.advance(1)
    }
    return made
  }

  test('has fewer items than were asked for and says that there are more, which are read from where it ends', async () => {
    const service = await startService()
    const studio = await openStudio(service)
    const made = await fill(service, studio)
    const walk = async (path: string, by: object) => {
      const ids: string[] = []
      for (let more = true; more; ) {
        const { body, text } = await service.call(`GET ${path}limit=100&offset=${ids.length}`, by)
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(ANSWER_BYTES)
        expect(body.data.length).toBeGreaterThan(0)
        expect(body).toMatchObject({ total: LOBBIES, limit: 100, offset: ids.length })
        ids.push(...body.data.map((lobby: Body) => lobby.lobby_id))
        more = body.has_more
      }
      return ids
    }
    const first = await service.call('GET /v1/lobbies?limit=100', { key: studio.client })
    expect(first.body.data.length).toBeLessThan(LOBBIES)
    expect(first.body.has_more).toBe(true)
    expect(await walk('/v1/lobbies?', { key: studio.client })).toEqual(made)
    expect(await walk('/v1/players/me/lobbies?', { key: studio.client, player: 'ann' })).toEqual(made)
    const found = await service.call('GET /v1/players/ann', { key: studio.server })
    expect(Buffer.byteLength(found.text)).toBeLessThanOrEqual(ANSWER_BYTES)
    expect(found.body.has_more).toBe(true)
  })

  test('of arrivals goes on from its cursor, those who wait too', async () => {
    const service = await startService()
    const studio = await openStudio(service)
    // A recorded field has at most 1,000 characters.
    const fields = ['a', 'b', 'c', 'd', 'e']
    const rules = fields.map((field) => ({ type: 'equals', field }))
    const state = Object.fromEntries(fields.map((field) => [field, '€'.repeat(1_000)]))
    await makeQueue(service, studio, { max_players: 16, matchmaking: { teams: 2, players_per_team: 16, rules } })
    const lobbies: string[] = []
    for (let n = 0; n < LOBBIES; n++) {
      const lobby = await makeLobby(service, studio, `host${n}`, { state })
      for (let m = 0; m < 14; m++) {
        const joining = { key: studio.client, player: `p${n}-${m}`, body: { state } }
        await service.call(`POST /v1/lobbies/${lobby.lobby_id}/join`, joining)
      }
      await service.call(`POST /v1/lobbies/${lobby.lobby_id}/queue`, { key: studio.client, player: `host${n}` })
      // Half of the lobbies have left the queue.
      if (n % 2 === 0) {
        await service.call(`DELETE /v1/lobbies/${lobby.lobby_id}/queue`, { key: studio.client, player: `host${n}` })
      }
      lobbies.push(lobby.lobby_id)
      service.clock.advance(1_000)
    }
    const seen: string[] = []
    let answers = 0
    for (let cursor = ''; ; answers++) {
      const { body, text } = await service.call(`GET /v1/queues/duel/arrivals?limit=1000${cursor}`, {
        key: studio.server,
      })
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(ANSWER_BYTES)
      seen.push(...body.data.map((arrival: Body) => arrival.lobby_id))
      expect(body.has_more).toBe(body.next_cursor !== null)
      if (!body.has_more) break
      cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
    }
    expect(answers).toBeGreaterThan(0)
    expect(seen.toSorted()).toEqual(lobbies.toSorted())
  })

  test('of the history of a queue has as many versions as an answer has room for', async () => {
    const service = await startService()
    const studio = await openStudio(service)
    await makeQueue(service, studio)
    for (let n = 0; n < 60; n++) {
      const body = { server_settings: { version_tag: 'arena', custom_data: large(n).settings } }
      await service.call('PATCH /v1/queues/duel', { key: studio.server, body })
    }
    const { body, text } = await service.call('GET /v1/queues/duel/history?limit=100', { key: studio.server })
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(ANSWER_BYTES)
    expect(body).toMatchObject({ total: 61, has_more: true })
    const rest = `GET /v1/queues/duel/history?limit=1&offset=${body.data.length}`
    const [next] = (await service.call(rest, { key: studio.server })).body.data
    expect(next.version).toBe(body.data.at(-1).version - 1)
  })
})

describe('a long answer', () => {
  test('is spelled in slices, with a turn for everybody else after each', async () => {
    let turns = 0
    const pieces = function* () {
      for (let n = 0; n < 64; n++) yield 'x'.repeat(SLICE_CHARACTERS / 16)
    }
    const text = await inSlices(pieces(), (callback) => {
      turns++
      queueMicrotask(callback)
    })
    expect(text).toBe('x'.repeat(4 * SLICE_CHARACTERS))
    expect(turns).toBe(4)
  })

  test('that is short is spelled at once', async () => {
    const text = await inSlices(['{', '}'], () => {
      throw new Error('nobody is waited for')
    })
    expect(text).toBe('{}')
  })
})
