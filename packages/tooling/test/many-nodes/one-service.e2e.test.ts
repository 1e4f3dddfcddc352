import { play } from '@matchyard/example-demo'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, OWNER, startCluster } from '../../src/many-nodes/cluster'
import { EventReader } from '../../src/many-nodes/event-reader'

const CHANGES = 300

interface LobbyBody {
  readonly lobby_id: string
  readonly version: number
  readonly code?: string
}

describe('three nodes on one PostgreSQL', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster()
    const body = { queue_id: 'duel', name: 'Duel', max_players: 4 }
    const made = await cluster.next().call({ method: 'POST', path: '/v1/queues', key: cluster.serverKey, body })
    expect(made.status).toBe(201)
  }, 120_000)
  afterAll(() => cluster?.stop())

  const lobby = async (player: string) => {
    const call = { method: 'POST', path: '/v1/lobbies', player, body: { queue_id: 'duel' } }
    return (await cluster.next().call<LobbyBody>(call)).body.lobby_id
  }

  it('play the main job with every call to another node', { timeout: 120_000 }, async () => {
    const anyNode = 'http://any-node.test'
    const credentials = { base_url: anyNode, client_key: cluster.clientKey, server_key: cluster.serverKey }
    const toTheNext: typeof fetch = (url, init) => fetch(String(url).replace(anyNode, cluster.next().baseUrl), init)
    const { steps } = await play(credentials, undefined, { fetch: toTheNext })
    expect(steps.at(-1)?.what).toBe('both lobbies are waiting again')
  })

  it('show on one what was changed on another, in order and without a gap', { timeout: 120_000 }, async () => {
    const lobbyId = await lobby('ann')
    const readers = await Promise.all(
      cluster.nodes.map(({ baseUrl }) => EventReader.open({ baseUrl, key: cluster.clientKey, player: 'ann', lobbyId })),
    )
    await Promise.all(readers.map((reader) => reader.until(({ name }) => name === 'connected')))
    for (let change = 0; change < CHANGES; change++) {
      const [writer, elsewhere] = [cluster.node(change), readers[(change + 1) % readers.length]]
      const path = `/v1/lobbies/${lobbyId}/players/ann`
      const { status, body } = await writer.call({ method: 'PATCH', path, player: 'ann', body: { state: { change } } })
      expect({ status, body }).toMatchObject({ status: 200, body: { state: { change } } })
      await elsewhere?.until(({ id }) => id === change + 2)
    }
    for (const reader of readers) {
      await reader.until(({ id }) => id === CHANGES + 1)
      expect(reader.events.map(({ id }) => id)).toEqual(Array.from({ length: CHANGES + 1 }, (_, index) => index + 1))
      reader.close()
    }
  })

  const login = async () => {
    const call = { method: 'POST', path: '/v1/auth/login', body: OWNER }
    return (await cluster.next().control<{ token: string }>(call)).body.token
  }

  it('refuse a revoked key at once, all of them, and end its streams', { timeout: 60_000 }, async () => {
    const [token, lobbyId] = [await login(), await lobby('ann')]
    const keys = `/v1/projects/${cluster.projectId}/keys`
    const mint = { method: 'POST', path: keys, body: { type: 'client' } }
    const minted = (await cluster.next().control<{ key_id: string; key: string }>(mint, token)).body
    const use = () =>
      Promise.all(
        cluster.nodes.map((node) => node.call({ method: 'GET', path: `/v1/lobbies/${lobbyId}`, key: minted.key })),
      )
    for (const answer of await use()) expect(answer.status).toBe(200)
    const streams = await Promise.all(
      cluster.nodes.map(({ baseUrl }) => EventReader.open({ baseUrl, key: minted.key, player: 'ann', lobbyId })),
    )
    const revoke = { method: 'DELETE', path: `${keys}/${minted.key_id}` }
    expect((await cluster.next().control(revoke, token)).status).toBe(204)
    for (const answer of await use()) expect(answer).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } })
    await Promise.all(streams.map((stream) => stream.ended))
    expect(await cluster.next().control(revoke, token)).toMatchObject({ body: { code: 'KEY_REVOKED' } })
  })

  it('end the sessions, keys and streams of a removed member, all of them', { timeout: 60_000 }, async () => {
    const [owner, lobbyId] = [await login(), await lobby('ann')]
    const project = `/v1/projects/${cluster.projectId}`
    const members = `${project}/members`
    const invite = { method: 'POST', path: members, body: { role: 'developer' } }
    const { token } = (await cluster.next().control<{ token: string }>(invite, owner)).body
    const eve = { email: 'eve@studio.example', password: 'another long password', name: 'Eve' }
    const join = { method: 'POST', path: '/v1/auth/join', body: { ...eve, token } }
    const joined = (await cluster.next().control<{ session: { token: string }; account_id: string }>(join)).body
    const mint = { method: 'POST', path: `${project}/keys`, body: { type: 'server' } }
    const { key } = (await cluster.next().control<{ key: string }>(mint, joined.session.token)).body
    const uses = () =>
      Promise.all(
        cluster.nodes.flatMap((node) => [
          node.control({ method: 'GET', path: project }, joined.session.token),
          node.call({ method: 'GET', path: '/v1/queues', key }),
        ]),
      )
    expect((await uses()).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    const streams = await Promise.all(
      cluster.nodes.map(({ baseUrl }) => EventReader.open({ baseUrl, key, player: 'ann', lobbyId })),
    )
    await Promise.all(streams.map((stream) => stream.until(({ name }) => name === 'connected')))
    const remove = { method: 'DELETE', path: `${members}/${joined.account_id}` }
    expect((await cluster.next().control(remove, owner)).status).toBe(204)
    const removedAt = performance.now()
    const refused = (await uses()).map(({ body }) => (body as { code?: string }).code)
    const [session, ofKey] = ['PROJECT_NOT_FOUND', 'INVALID_API_KEY']
    expect(refused).toEqual([session, ofKey, session, ofKey, session, ofKey])
    await Promise.all(streams.map((stream) => stream.ended))
    console.log(`the streams of a removed member ended after ${Math.round(performance.now() - removedAt)} ms`)
  })

  it('end a session everywhere that was refreshed on one', async () => {
    const before = await login()
    const account = async (token: string) => {
      const answers = cluster.nodes.map((node) => node.control({ method: 'GET', path: '/v1/account' }, token))
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    expect(await account(before)).toEqual([200, 200, 200])
    const refresh = { method: 'POST', path: '/v1/auth/refresh' }
    const refreshed = await cluster.next().control<{ token: string }>(refresh, before)
    expect(await account(before)).toEqual([401, 401, 401])
    expect(await account(refreshed.body.token)).toEqual([200, 200, 200])
  })

  it('have one effect of one idempotency key, used on all at once', { timeout: 60_000 }, async () => {
    const players = Array.from({ length: 20 }, (_, round) => `once${round}`)
    for (const player of players) {
      const headers = { 'idempotency-key': `make-${player}` }
      const call = { method: 'POST', path: '/v1/lobbies', player, headers, body: { queue_id: 'duel', name: player } }
      const answers = await Promise.all(cluster.nodes.map((node) => node.call<LobbyBody>(call)))
      const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.lobby_id)
      expect(made.length).toBeGreaterThan(0)
      expect(new Set(made).size).toBe(1)
      for (const { status, body } of answers) if (status !== 201) expect(body.code).toBe('CONFLICT')
    }
    const { data } = await cluster.storage.lobbies.browse({
      projectId: cluster.projectId,
      includePrivate: true,
      sort: 'created_at_desc',
      limit: 100,
      offset: 0,
    })
    for (const player of players) expect(data.filter(({ name }) => name === player)).toHaveLength(1)
  })

  it('count the cancels of a player together', { timeout: 60_000 }, async () => {
    const lobbyId = await lobby('ann')
    const call = { method: 'DELETE', path: `/v1/lobbies/${lobbyId}/queue`, player: 'ann' }
    const startedAt = performance.now()
    const answers = await Promise.all(Array.from({ length: 60 }, () => cluster.next().call(call)))
    const windows = Math.floor((performance.now() - startedAt) / 1_000) + 1
    const taken = answers.filter(({ status }) => status !== 429)
    for (const { body } of taken) expect(body.code).toBe('INVALID_LOBBY_STATE')
    expect(taken.length).toBeGreaterThanOrEqual(5)
    expect(taken.length).toBeLessThanOrEqual(5 * windows)
  })
})
