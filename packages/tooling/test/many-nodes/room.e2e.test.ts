import type { GameServer } from '@matchyard/core'
import { packGameServer } from '@matchyard/example-game-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../src/eventually'
import { processesOf } from '../../src/game-processes'
import { type Cluster, startCluster } from '../../src/many-nodes/cluster'
import { rounds, seeded } from '../../src/rounds'

const MATCHES = rounds(50)
/** Game servers that fit on the only node. */
const ROOM = 3
/** How often the test kills the service. */
const KILLS = 3

describe(`a node with room for ${ROOM} game servers, and ${MATCHES} matches`, () => {
  const { seed, next } = seeded()
  let cluster: Cluster

  beforeAll(async () => {
    console.log(`room: MATCHYARD_SEED=${seed}`)
    // The timeouts are long enough for all matches, and for restarts of the node without its servers being given up.
    const environment = { MAX_SERVERS: String(ROOM), CAPACITY_TIMEOUT_SECONDS: '900', NODE_LOST_AFTER_SECONDS: '60' }
    cluster = await startCluster(1, { environment })
    await upload()
  }, 120_000)
  afterAll(() => cluster?.stop())

  const backend = async <T = Record<string, unknown>>(method: string, path: string, body?: unknown) => {
    const answer = await cluster.node(0).call<T>({ method, path, key: cluster.serverKey, body })
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer.body
  }
  const servers = async (): Promise<GameServer[]> => {
    const { data } = await cluster.storage.servers.list({ projectId: cluster.projectId, limit: 1_000, offset: 0 })
    return [...data].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  }
  const inStatus = (all: readonly GameServer[], status: GameServer['status']) =>
    all.filter((one) => one.status === status)

  async function upload(): Promise<void> {
    const body = { name: 'arena', executable_path: 'server.mjs' }
    const made = await backend<{ build_id: string; upload_url: string }>('POST', '/v1/builds/upload-url', body)
    const archive = new Uint8Array(await packGameServer())
    expect((await fetch(made.upload_url, { method: 'PUT', body: archive })).status).toBe(204)
    await eventually(
      () => backend('GET', `/v1/builds/${made.build_id}`),
      ({ status }) => status === 'ready',
    )
    const network_ports = [{ name: 'game', protocol: 'udp', internal_port: 7777 }]
    await backend('POST', '/v1/queues', {
      ...{ queue_id: 'arena', name: 'Arena', timeout: 900 },
      matchmaking: { teams: 2, players_per_team: 1 },
      server_settings: { version_tag: 'arena', network_ports },
    })
  }

  async function enter(player: string): Promise<void> {
    const node = cluster.node(0)
    const made = await node.call({ method: 'POST', path: '/v1/lobbies', player, body: { queue_id: 'arena' } })
    const queued = await node.call({ method: 'POST', path: `/v1/lobbies/${made.body.lobby_id}/queue`, player })
    expect(queued.status, JSON.stringify(queued.body)).toBe(200)
  }

  /** Expects at each call: servers launch in order of age, no server failed, and at most `ROOM` servers run. */
  function expectOrder(all: readonly GameServer[]): void {
    const admitted = all.findLastIndex(({ room }) => room?.admittedAt != null)
    const passedOver = all.slice(0, admitted).filter(({ room }) => room?.admittedAt == null)
    expect(
      passedOver.map(({ id }) => id),
      'launched after a younger one',
    ).toEqual([])
    expect(inStatus(all, 'failed').map(({ stopReason }) => stopReason)).toEqual([])
    const running = all.filter(({ id }) => processesOf(id).length > 0)
    expect(running.length).toBeLessThanOrEqual(ROOM)
  }

  it('starts them one after the other as others end, whatever kills the service', { timeout: 900_000 }, async () => {
    for (let match = 0; match < MATCHES * 2; match++) await enter(`player-${match}`)
    const all = await eventually(
      servers,
      (made) => made.length === MATCHES && inStatus(made, 'running').length === ROOM,
      60_000,
    )
    expectOrder(all)
    // A server waits for room only after its launch was tried and found no room, which is shortly after the match was
    // made.
    const { waiting_for_room } = await eventually(
      () => backend<{ waiting_for_room: { servers: number } }>('GET', '/v1/queues/arena/stats'),
      (stats) => stats.waiting_for_room.servers === MATCHES - ROOM,
    )
    expect(waiting_for_room).toEqual({ servers: MATCHES - ROOM, oldest_seconds: expect.any(Number) })
    const waiting = await backend('GET', `/v1/servers/${all.at(-1)?.id}`)
    expect(waiting).toMatchObject({ status: 'launching', status_reason: 'waiting_for_room', network_ports: [] })

    const killAt = new Set(Array.from({ length: KILLS }, () => Math.floor(next() * (MATCHES - 1))))
    for (let ended = 0; ended < MATCHES; ended++) {
      const [oldest] = await eventually(
        async () => inStatus(await servers(), 'running'),
        (running) => running.length > 0,
        60_000,
      )
      const match = await cluster.storage.get('match', oldest?.matchId ?? '')
      await backend('POST', `/v1/lobbies/${match?.lobbyIds[0]}/end`)
      if (killAt.has(ended)) {
        await cluster.node(0).end('SIGKILL')
        expectOrder(await servers())
        await cluster.node(0).start()
      }
      expectOrder(await servers())
    }
    const ended = await eventually(servers, (seen) => inStatus(seen, 'stopped').length === MATCHES, 60_000)
    expect(ended.filter(({ runningAt }) => runningAt === null)).toEqual([])
    const admittedAt = ended.map(({ room }) => room?.admittedAt ?? 0)
    expect(admittedAt).toEqual([...admittedAt].sort((a, b) => a - b))
  })
})
