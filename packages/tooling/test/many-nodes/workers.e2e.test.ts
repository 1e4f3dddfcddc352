import { packGameServer } from '@matchyard/example-game-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../src/client'
import { eventually } from '../../src/eventually'
import { processesOf } from '../../src/game-processes'
import { type Cluster, startCluster } from '../../src/many-nodes/cluster'
import { EventReader } from '../../src/many-nodes/event-reader'
import type { NodeProcess } from '../../src/many-nodes/node-process'
import { workersOf } from '../../src/many-nodes/workers-of'

const WORKERS = 3
const METRICS_TOKEN = 'kLw83hQmZ0tVbNs61xYd'

interface LobbyBody {
  readonly lobby_id: string
  readonly version: number
  readonly status: string
  readonly server: { readonly instance_id: string } | null
}

describe('serve --workers on one PostgreSQL', () => {
  let cluster: Cluster
  let node: NodeProcess
  beforeAll(async () => {
    cluster = await startCluster(1, {
      environment: { WORKERS: String(WORKERS), METRICS_TOKEN, NODE_LOST_AFTER_SECONDS: '60' },
    })
    node = cluster.node(0)
    await made({ queue_id: 'duel', name: 'Duel', max_players: 4 })
  }, 120_000)
  afterAll(() => cluster?.stop())

  /** Sends the call on a new connection, which the next worker gets. */
  const call = <T = LobbyBody>(what: Call) =>
    node.call<T>({ ...what, headers: { connection: 'close', ...what.headers } })
  const made = async (body: object) =>
    expect((await call({ method: 'POST', path: '/v1/queues', key: cluster.serverKey, body })).status).toBe(201)
  const make = async (player: string, queueId = 'duel') =>
    call({ method: 'POST', path: '/v1/lobbies', player, body: { queue_id: queueId } })
  const read = async (lobbyId: string) => (await call({ method: 'GET', path: `/v1/lobbies/${lobbyId}` })).body
  const pid = (worker: number) => workersOf(node.pid).get(worker) ?? 0
  const allUp = (but = 0) =>
    eventually(
      () => workersOf(node.pid),
      (workers) => workers.size === WORKERS && !new Set(workers.values()).has(but),
    )
  /** Returns the series of counters and histograms with their values, as Prometheus reads them. */
  const counters = async () => {
    const page = await fetch(`${node.baseUrl}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
    const text = await page.text()
    const grow = new Set([...text.matchAll(/^# TYPE (\w+) (?:counter|histogram)$/gm)].map(([, name]) => name))
    const rows = text.split('\n').filter((row) => grow.has(row.split(/[ {]/)[0]?.replace(/_(?:count|sum|bucket)$/, '')))
    return new Map(rows.map((row) => [row.slice(0, row.lastIndexOf(' ')), Number(row.slice(row.lastIndexOf(' ')))]))
  }

  it('spread calls over all workers, and a stream on one shows what was done by the others', async () => {
    const lobbyId = (await make('ann')).body.lobby_id
    const reader = await EventReader.open({ baseUrl: node.baseUrl, key: cluster.clientKey, player: 'ann', lobbyId })
    await reader.until(({ name }) => name === 'connected')
    const path = `/v1/lobbies/${lobbyId}/players/ann`
    for (let change = 0; change < 3 * WORKERS; change++) {
      expect((await call({ method: 'PATCH', path, player: 'ann', body: { state: { change } } })).status).toBe(200)
      await reader.until(({ id }) => id === change + 2)
    }
    reader.close()
    const lines = node.lastWords.split('\n').filter((line) => line.includes('"operation":"lobbies.updatePlayer"'))
    const took = new Set(lines.map((line) => (JSON.parse(line) as { worker: number }).worker))
    expect([...took].sort()).toEqual([1, 2, 3])
    expect(node.lastWords.split('"msg":"listening"')).toHaveLength(2)
  })

  it('lose nothing that was acknowledged when one is killed, nor a count that was shown', {
    timeout: 120_000,
  }, async () => {
    const acknowledged: string[] = []
    let lost = 0
    let over = false
    const callers = Array.from({ length: 8 }, async (_, caller) => {
      for (let turn = 0; !over; turn++) {
        const answer = await make(`caller-${caller}-${turn}`).catch(() => undefined)
        if (answer?.status === 201) acknowledged.push(answer.body.lobby_id)
        else lost++
      }
    })
    await eventually(
      () => acknowledged.length,
      (count) => count >= 60,
    )
    const before = await counters()
    const killed = pid(2)
    process.kill(killed, 'SIGKILL')
    await allUp(killed)
    await eventually(
      () => acknowledged.length,
      (count) => count >= 200,
    )
    over = true
    await Promise.all(callers)
    const found = await Promise.all(acknowledged.map((id) => cluster.storage.get('lobby', id)))
    expect(found.filter((lobby) => lobby === undefined)).toEqual([])
    // Only calls to the killed worker may be lost: at most one per caller.
    expect(lost).toBeLessThanOrEqual(8)
    const after = await counters()
    const fell = [...before].filter(([series, count]) => (after.get(series) ?? 0) < count)
    expect(fell).toEqual([])
    expect(after.get('matchyard_worker_restarts_total')).toBe(1)
    const creations = 'matchyard_http_requests_total{operation="lobbies.create",method="POST",status="201"}'
    expect(after.get(creations)).toBeGreaterThan(before.get(creations) ?? 0)
  })

  it('keep their game servers when the one that runs them is killed', { timeout: 120_000 }, async () => {
    const key = cluster.serverKey
    const upload = await call<{ build_id: string; upload_url: string }>({
      method: 'POST',
      path: '/v1/builds/upload-url',
      key,
      body: { name: 'arena', executable_path: 'server.mjs' },
    })
    const archive = new Uint8Array(await packGameServer())
    expect((await fetch(upload.body.upload_url, { method: 'PUT', body: archive })).status).toBe(204)
    await eventually(
      () => call<{ status: string }>({ method: 'GET', path: `/v1/builds/${upload.body.build_id}`, key }),
      ({ body }) => body.status === 'ready',
    )
    const network_ports = [{ name: 'game', protocol: 'udp', internal_port: 7777 }]
    await made({ queue_id: 'arena', name: 'Arena', server_settings: { version_tag: 'arena', network_ports } })
    // More launches than workers, so that other workers claim some too. The first worker runs all servers, also those
    // of claims by other workers.
    const players = Array.from({ length: 2 * WORKERS }, (_, index) => `player-${index}`)
    const lobbies = await Promise.all(players.map(async (player) => (await make(player, 'arena')).body.lobby_id))
    for (const [index, lobbyId] of lobbies.entries())
      await call({ method: 'POST', path: `/v1/lobbies/${lobbyId}/start`, player: players[index] ?? '' })
    const playing = await Promise.all(
      lobbies.map((lobbyId) =>
        eventually(
          () => read(lobbyId),
          ({ status }) => status === 'in_game',
          60_000,
        ),
      ),
    )
    const instances = playing.map(({ server }) => server?.instance_id ?? '')
    const running = new Map(instances.map((id) => [id, processesOf(id)]))
    expect(new Set((await cluster.storage.servers.listLive()).map(({ nodeId }) => nodeId))).toEqual(
      new Set([node.nodeId]),
    )

    const killed = pid(1)
    process.kill(killed, 'SIGKILL')
    await allUp(killed)
    // Each worker returns the server's output once the first worker is back.
    const [instanceId = ''] = instances
    for (let turn = 0; turn < WORKERS; turn++) {
      const logs = await eventually(
        () => call<{ data: unknown[] }>({ method: 'GET', path: `/v1/servers/${instanceId}/logs`, key }),
        ({ status }) => status !== 503,
      )
      expect(logs.status).toBe(200)
    }
    for (const lobbyId of lobbies) expect((await read(lobbyId)).status).toBe('in_game')
    for (const [id, pids] of running) expect(processesOf(id)).toEqual(pids)
    // The first worker ends the servers that it adopted.
    for (const id of instances) await call({ method: 'DELETE', path: `/v1/servers/${id}`, key })
    await eventually(
      () => instances.flatMap(processesOf),
      (left) => left.length === 0,
      30_000,
    )
  })

  it('all stop at a SIGTERM: streams end, what is in hand is finished, and nobody is left', {
    timeout: 60_000,
  }, async () => {
    const lobbyId = (await make('zoe')).body.lobby_id
    const readers = await Promise.all(
      Array.from({ length: WORKERS }, () =>
        EventReader.open({ baseUrl: node.baseUrl, key: cluster.clientKey, player: 'zoe', lobbyId }),
      ),
    )
    await Promise.all(readers.map((reader) => reader.until(({ name }) => name === 'connected')))
    const pids = [...workersOf(node.pid).values()]
    const startedAt = performance.now()
    await Promise.all([node.end('SIGTERM'), ...readers.map(({ ended }) => ended)])
    console.log(`all workers ended ${((performance.now() - startedAt) / 1_000).toFixed(1)} s after the signal`)
    for (const left of pids) expect(() => process.kill(left, 0)).toThrow(/ESRCH/)
    expect(node.lastWords).toContain('"msg":"stopped"')
    await node.start()
  })

  it('end at once at the second Ctrl-C of a terminal, which all of them hear', { timeout: 60_000 }, async () => {
    const primary = node.pid
    const pids = [...workersOf(primary).values()]
    // A request whose body never ends delays the graceful shutdown after the first Ctrl-C.
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{')) })
    const headers = { 'api-key': cluster.clientKey, 'x-player-id': 'ann', 'content-type': 'application/json' }
    const held = fetch(`${node.baseUrl}/v1/lobbies`, { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
    held.catch(() => {})
    await eventually(
      async () => (await fetch(`${node.baseUrl}/readyz`)).status,
      (status) => status === 200,
    )
    for (const one of [primary, ...pids]) process.kill(one, 'SIGINT')
    await eventually(
      async () => (await fetch(`${node.baseUrl}/readyz`).catch(() => undefined))?.status ?? 503,
      (status) => status === 503,
    )
    for (const one of [primary, ...pids]) process.kill(one, 'SIGINT')
    await eventually(
      () => [primary, ...pids].filter(isThere),
      (left) => left.length === 0,
      5_000,
    )
  })
})

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
