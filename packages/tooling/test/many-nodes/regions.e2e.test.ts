import type { GameServer } from '@matchyard/core'
import { packGameServer } from '@matchyard/example-game-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../src/eventually'
import { type Cluster, startCluster } from '../../src/many-nodes/cluster'

/** Regions of the machines. */
const REGIONS = ['fra', 'fra', 'iad']
const MATCHES = 3

describe('three machines in two regions', () => {
  let cluster: Cluster
  /** Number of calls of players, which go to one node after another, and number of nodes that answer them. */
  let nodes = 0
  let alive = REGIONS.length

  beforeAll(async () => {
    cluster = await startCluster(REGIONS.length, { environmentOf: (node) => ({ REGIONS: REGIONS[node] ?? 'fra' }) })
    const body = { name: 'arena', executable_path: 'server.mjs' }
    const made = await backend<{ build_id: string; upload_url: string }>('POST', '/v1/builds/upload-url', body)
    const archive = new Uint8Array(await packGameServer())
    expect((await fetch(made.upload_url, { method: 'PUT', body: archive })).status).toBe(204)
    await eventually(
      () => backend('GET', `/v1/builds/${made.build_id}`),
      ({ status }) => status === 'ready',
    )
    await backend('POST', '/v1/queues', {
      ...{ queue_id: 'arena', name: 'Arena', timeout: 900 },
      matchmaking: { teams: 2, players_per_team: 1, rules: [{ type: 'region' }] },
      server_settings: {
        version_tag: 'arena',
        network_ports: [{ name: 'game', protocol: 'udp', internal_port: 7777 }],
      },
    })
  }, 120_000)
  afterAll(() => cluster?.stop())

  const backend = async <T = Record<string, unknown>>(method: string, path: string, body?: unknown) => {
    const answer = await cluster.node(0).call<T>({ method, path, key: cluster.serverKey, body })
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer.body
  }
  const servers = async (): Promise<readonly GameServer[]> =>
    (await cluster.storage.servers.list({ projectId: cluster.projectId, limit: 1_000, offset: 0 })).data

  async function enter(player: string, regions: readonly string[]): Promise<string> {
    const body = { queue_id: 'arena', state: { regions } }
    const made = await cluster.node(nodes++ % alive).call({ method: 'POST', path: '/v1/lobbies', player, body })
    const lobbyId = String(made.body.lobby_id)
    const queued = await cluster
      .node(nodes++ % alive)
      .call({ method: 'POST', path: `/v1/lobbies/${lobbyId}/queue`, player })
    expect(queued.status, JSON.stringify(queued.body)).toBe(200)
    return lobbyId
  }

  it('run every server where its players are, and a region without a machine is told', {
    timeout: 180_000,
  }, async () => {
    for (let match = 0; match < MATCHES; match++) {
      for (const region of ['fra', 'iad']) {
        for (const player of ['a', 'b']) await enter(`${region}-${match}-${player}`, [region])
      }
    }
    const running = await eventually(
      servers,
      (all) => all.filter(({ status }) => status === 'running').length === MATCHES * 2,
      60_000,
    )
    for (const { region, nodeId } of running) expect(REGIONS[Number(nodeId?.slice(-1))]).toBe(region)

    alive = 2
    await cluster.node(2).end('SIGTERM')
    const lobbyId = await enter('far', ['iad'])
    const explained = await eventually(
      () => backend<{ warnings: string[] }>('GET', `/v1/lobbies/${lobbyId}/queue`),
      ({ warnings }) => warnings.length > 0,
    )
    expect(explained.warnings).toEqual(['no machine serves iad'])
    for (const player of ['both-a', 'both-b']) await enter(player, ['iad', 'fra'])
    await eventually(
      servers,
      (all) => all.filter(({ status, region }) => status === 'running' && region === 'fra').length === MATCHES + 1,
      60_000,
    )
  })
})
