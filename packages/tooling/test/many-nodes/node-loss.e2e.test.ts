import { packGameServer } from '@matchyard/example-game-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../src/eventually'
import { processesOf } from '../../src/game-processes'
import { type Cluster, startCluster } from '../../src/many-nodes/cluster'
import type { NodeProcess } from '../../src/many-nodes/node-process'

interface LobbyBody {
  readonly lobby_id: string
  readonly status: string
  readonly match_id: string | null
  readonly server: { readonly instance_id: string } | null
}

describe('a node that is killed', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster()
  }, 120_000)
  afterAll(() => cluster?.stop())

  const survivors = () => cluster.nodes.filter(({ isUp }) => isUp)
  const survivor = (turn = 0): NodeProcess => {
    const up = survivors()
    const node = up[turn % up.length]
    if (node === undefined) throw new Error('no node is up')
    return node
  }
  const named = (nodeId: string | null | undefined): NodeProcess => {
    const node = cluster.nodes.find((one) => one.nodeId === nodeId)
    if (node === undefined) throw new Error(`no node is called ${nodeId}`)
    return node
  }
  const make = async (player: string, queueId: string) => {
    const call = { method: 'POST', path: '/v1/lobbies', player, body: { queue_id: queueId } }
    return (await survivor().call<LobbyBody>(call)).body.lobby_id
  }
  const read = async (lobbyId: string) =>
    (await survivor(1).call<LobbyBody>({ method: 'GET', path: `/v1/lobbies/${lobbyId}` })).body
  const makeQueue = async (body: Record<string, unknown>) => {
    const made = await survivor().call({ method: 'POST', path: '/v1/queues', key: cluster.serverKey, body })
    expect(made.status).toBe(201)
  }
  const matched = async (pair: readonly string[]) => {
    const lobbies = await Promise.all(pair.map((player) => make(player, 'duel')))
    await Promise.all(
      lobbies.map((lobbyId, index) =>
        survivor(index).call({ method: 'POST', path: `/v1/lobbies/${lobbyId}/queue`, player: pair[index] ?? '' }),
      ),
    )
    for (const lobbyId of lobbies) {
      await eventually(
        () => read(lobbyId),
        ({ status }) => status === 'in_game',
      )
    }
  }
  const directors = async () =>
    (await cluster.door.query<{ holder: string }>(`select holder from lease where name like 'director:%/duel'`)).map(
      ({ holder }) => holder,
    )

  it('is replaced as director of its queue', { timeout: 120_000 }, async () => {
    await makeQueue({ queue_id: 'duel', name: 'Duel', matchmaking: { teams: 2, players_per_team: 1 } })
    await matched(['ann', 'bob'])
    const [director, ...more] = await directors()
    expect(more).toEqual([])
    await named(director).end('SIGKILL')
    const killedAt = performance.now()
    await matched(['cat', 'dan'])
    console.log(`matched ${((performance.now() - killedAt) / 1_000).toFixed(1)} s after the director was killed`)
    expect((await directors())[0]).not.toBe(director)
    await named(director).start()
  })

  it('loses its game servers, and stops them as strays when it is back', { timeout: 120_000 }, async () => {
    const key = cluster.serverKey
    const upload = await survivor().call<{ build_id: string; upload_url: string }>({
      method: 'POST',
      path: '/v1/builds/upload-url',
      key,
      body: { name: 'arena', executable_path: 'server.mjs' },
    })
    const archive = new Uint8Array(await packGameServer())
    expect((await fetch(upload.body.upload_url, { method: 'PUT', body: archive })).status).toBe(204)
    await eventually(
      () => survivor().call({ method: 'GET', path: `/v1/builds/${upload.body.build_id}`, key }),
      ({ body }) => body.status === 'ready',
    )
    const network_ports = [{ name: 'game', protocol: 'udp', internal_port: 7777 }]
    await makeQueue({ queue_id: 'arena', name: 'Arena', server_settings: { version_tag: 'arena', network_ports } })
    const lobbyId = await make('eve', 'arena')
    await survivor().call({ method: 'POST', path: `/v1/lobbies/${lobbyId}/start`, player: 'eve' })
    const playing = await eventually(
      () => read(lobbyId),
      ({ status }) => status === 'in_game',
    )
    const instanceId = playing.server?.instance_id ?? ''
    const owner = named((await cluster.storage.get('server', instanceId))?.nodeId)

    await owner.end('SIGKILL')
    const killedAt = performance.now()
    const freed = await eventually(
      () => read(lobbyId),
      ({ status }) => status === 'waiting',
      60_000,
    )
    console.log(`its lobby was free ${((performance.now() - killedAt) / 1_000).toFixed(1)} s after the node was killed`)
    expect(freed).toMatchObject({ server: null, match_id: null })
    const server = await survivor().call({ method: 'GET', path: `/v1/servers/${instanceId}`, key })
    expect(server.body).toMatchObject({ status: 'failed', stop_reason: 'its node is gone' })
    expect(server.body.stopped_at).not.toBeNull()
    // Only the server's own node can end it.
    expect(processesOf(instanceId).length).toBeGreaterThan(0)
    await owner.start()
    await eventually(
      () => processesOf(instanceId),
      (pids) => pids.length === 0,
      30_000,
    )
  })
})
