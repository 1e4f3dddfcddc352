import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, OWNER, startCluster } from '../../src/many-nodes/cluster'
import { TEST_CERTIFICATE } from '../../src/many-nodes/test-certificate'
import { type Mood, WebhookReceiver } from '../../src/many-nodes/webhook-receiver'
import { rounds, seeded } from '../../src/rounds'

interface Studio {
  readonly projectId: string
  readonly client: string
  readonly server: string
  /** Created lobbies; the test deletes all of them. */
  readonly lobbies: string[]
  readonly webhooks: { readonly url: string; readonly mood: Mood; readonly id: string }[]
}

/** Callers that run at the same time. */
const CALLERS = 12
const KILL_EVERY_MS = 4_000
/** Longer than two waits between attempts, on top of the faults of the receiver and the nodes. */
const ALL_WITHIN_MS = 240_000

describe('webhooks of three nodes that are killed, to receivers that fail', () => {
  const { seed, next: chance } = seeded()
  const folder = mkdtempSync(join(tmpdir(), 'matchyard-webhooks-'))
  const receiver = new WebhookReceiver(chance)
  let cluster: Cluster
  let [one, other] = [{} as Studio, {} as Studio]

  /** Calls a node that is up; returns undefined when the node died during the call. */
  const call = async (key: string, method: string, path: string, body?: object, player?: string) => {
    const asked = { method, path, key, ...(body && { body }), ...(player && { player }) }
    try {
      return await cluster.next().call<Record<string, string>>(asked)
    } catch {
      return undefined
    }
  }
  const listen = async (studio: Studio, name: string, mood: Mood) => {
    const url = receiver.urlOf(name, mood)
    const made = await call(studio.server, 'POST', '/v1/webhooks', { url, types: ['lobby.deleted'] })
    expect(made?.status).toBe(201)
    receiver.trust(url, made?.body.secret ?? '')
    studio.webhooks.push({ url, mood, id: made?.body.webhook_id ?? '' })
  }

  beforeAll(async () => {
    const certificate = join(folder, 'receiver.pem')
    writeFileSync(certificate, TEST_CERTIFICATE)
    cluster = await startCluster(3, {
      environment: { WEBHOOK_ALLOW_PRIVATE: '1', NODE_EXTRA_CA_CERTS: certificate },
    })
    await receiver.start()
    const login = await cluster.next().control<{ token: string }>({
      ...{ method: 'POST', path: '/v1/auth/login', body: OWNER },
    })
    const made = await cluster
      .next()
      .control<{ project_id: string; keys: { key: string }[] }>(
        { method: 'POST', path: '/v1/projects', body: { name: 'Another' } },
        login.body.token,
      )
    const [client, server] = made.body.keys.map(({ key }) => key)
    const { projectId, clientKey, serverKey } = cluster
    one = { projectId, client: clientKey, server: serverKey, lobbies: [], webhooks: [] }
    other = {
      ...one,
      projectId: made.body.project_id,
      client: client ?? '',
      server: server ?? '',
      lobbies: [],
      webhooks: [],
    }
    for (const studio of [one, other]) {
      const queue = { queue_id: 'open', name: 'Open', invite_code_config: { enabled: false } }
      expect((await call(studio.server, 'POST', '/v1/queues', queue))?.status).toBe(201)
    }
    for (const mood of ['good', 'slow', 'moody', 'dead'] as const) await listen(one, mood, mood)
    await listen(other, 'others', 'good')
  }, 120_000)

  afterAll(async () => {
    await cluster?.stop()
    await receiver.stop()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  it('each event is delivered at least once to each of its project, and to no other', {
    timeout: 1_800_000,
  }, async () => {
    // A deleted lobby causes messages to three webhooks that accept them, or to one webhook in the other project.
    const wanted = rounds(10_000)
    let left = wanted
    let kills = 0
    const attack = new AbortController()
    const killing = (async () => {
      while (!attack.signal.aborted) {
        await wait(KILL_EVERY_MS, undefined, { signal: attack.signal }).catch(() => {})
        if (attack.signal.aborted) return
        const node = cluster.node(Math.floor(chance() * 3))
        await node.end('SIGKILL')
        await node.start()
        kills++
        if (kills % 3 === 0) await receiver.goDown(1_000)
      }
    })()
    const caller = async (name: number) => {
      while (left-- > 0) {
        const studio = chance() < 0.8 ? one : other
        const made = await call(studio.client, 'POST', '/v1/lobbies', { queue_id: 'open' }, `p${name}`)
        if (made?.status !== 201) {
          left++
          continue
        }
        const id = made.body.lobby_id ?? ''
        studio.lobbies.push(id)
        await end(studio, id)
      }
    }
    await Promise.all(Array.from({ length: CALLERS }, (_, name) => caller(name)))
    attack.abort()
    await killing

    const missing = () =>
      [one, other].flatMap((studio) =>
        studio.webhooks
          .filter(({ mood }) => mood !== 'dead')
          .flatMap(({ url }) => {
            const seen = new Set(receiver.takenAt(url).map(({ lobbyId }) => lobbyId))
            return studio.lobbies.filter((id) => !seen.has(id)).map((id) => `${id} at ${url}`)
          }),
      )
    const deadline = Date.now() + ALL_WITHIN_MS
    while (missing().length > 0 && Date.now() < deadline) await wait(500)

    const receipts = [...receiver.taken.values()].flat()
    const events = receipts.length
    const distinct = new Set(
      [...receiver.taken].flatMap(([path, all]) => all.map(({ messageId }) => `${path} ${messageId}`)),
    )
    console.log(
      `MATCHYARD_SEED=${seed}: ${wanted} events, ${distinct.size} deliveries, ${events - distinct.size} of them repeated, ${kills} nodes killed, ${JSON.stringify([...receiver.faults])}`,
    )
    expect(missing()).toEqual([])
    expect(receiver.unverified).toEqual([])
    for (const studio of [one, other]) {
      const own = new Set(studio.lobbies)
      for (const { url } of studio.webhooks) {
        const ids = new Map<string, string>()
        for (const { lobbyId, messageId, projectId, type } of receiver.takenAt(url)) {
          expect([projectId, type, own.has(lobbyId)]).toEqual([studio.projectId, 'lobby.deleted', true])
          // A repeated delivery carries the same message id.
          expect(ids.get(lobbyId) ?? messageId).toBe(messageId)
          ids.set(lobbyId, messageId)
        }
      }
    }
    // No message without its commit: each lobby in a message is really deleted.
    const there = await cluster.storage.getMany('lobby', [...one.lobbies, ...other.lobbies])
    expect(there).toEqual([])
    const dead = one.webhooks.find(({ mood }) => mood === 'dead')?.id ?? ''
    const given = await cluster.storage.deliveries.list({ webhookId: dead, limit: 1, offset: 0 })
    expect(given.total).toBe(one.lobbies.length)
    expect(kills).toBeGreaterThan(0)
  })

  /** Deletes a lobby; tries again until the service confirms it. */
  async function end(studio: Studio, id: string): Promise<void> {
    for (;;) {
      const answer = await call(studio.server, 'DELETE', `/v1/lobbies/${id}`)
      if (answer?.status === 204 || answer?.status === 404) return
      await wait(50)
    }
  }
})
