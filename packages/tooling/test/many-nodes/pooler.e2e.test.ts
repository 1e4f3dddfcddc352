import { type Pooler, poolerIsHere, startPooler } from '@matchyard/storage-postgres/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../src/eventually'
import { type Cluster, startCluster } from '../../src/many-nodes/cluster'
import { EventReader } from '../../src/many-nodes/event-reader'
import { percentiles } from '../../src/many-nodes/percentiles'
import { skipWithout } from '../../src/needs'

const isHere = poolerIsHere()

interface LobbyBody {
  readonly lobby_id: string
  readonly version: number
  readonly status: string
}

const ROUNDS = 20
/** A poll each second finds lost signals. Signals that arrive are much faster than that. */
const BY_A_LOOK_MS = 1_000

describe('two nodes behind PgBouncer in transaction mode', () => {
  let cluster: Cluster
  let pooler: Pooler | undefined
  beforeAll(async () => {
    if (!isHere) return
    cluster = await startCluster(2, {
      listensBeside: true,
      async between(url, node) {
        if (node === 0) pooler = await startPooler(url, { mode: 'transaction' })
        return eventually(
          () => pooler?.url ?? '',
          (found) => found !== '',
        )
      },
      close: async () => pooler?.stop(),
    })
    for (const body of [
      { queue_id: 'rooms', name: 'Rooms', max_players: 4 },
      { queue_id: 'duel', name: 'Duel', matchmaking: { teams: 2, players_per_team: 1 } },
    ]) {
      const made = await cluster.next().call({ method: 'POST', path: '/v1/queues', key: cluster.serverKey, body })
      expect(made.status).toBe(201)
    }
  }, 120_000)
  afterAll(() => cluster?.stop())
  beforeEach((context) => {
    if (!isHere) skipWithout(context, 'PgBouncer', 'it is not on the path')
  })

  const make = async (node: number, player: string, queueId: string) => {
    const call = { method: 'POST', path: '/v1/lobbies', player, body: { queue_id: queueId } }
    return (await cluster.node(node).call<LobbyBody>(call)).body.lobby_id
  }

  it('hear each other: a stream on one shows at once what is done by the other', { timeout: 60_000 }, async () => {
    const lobbyId = await make(0, 'ann', 'rooms')
    const { baseUrl } = cluster.node(0)
    const reader = await EventReader.open({ baseUrl, key: cluster.clientKey, player: 'ann', lobbyId })
    await reader.until(({ name }) => name === 'connected')
    const took: number[] = []
    for (let turn = 0; turn < ROUNDS; turn++) {
      const since = performance.now()
      const path = `/v1/lobbies/${lobbyId}/players/ann`
      const changed = await cluster.node(1).call({ method: 'PATCH', path, player: 'ann', body: { state: { turn } } })
      expect(changed.status).toBe(200)
      await reader.until(({ id }) => id === turn + 2)
      took.push(performance.now() - since)
    }
    reader.close()
    console.log(`from a call on one node to a reader on the other: ${percentiles(took)} ms`)
    expect([...took].sort((a, b) => a - b)[ROUNDS / 2]).toBeLessThan(BY_A_LOOK_MS)
  })

  it('match who waits on either, and give the last seat of a lobby once', { timeout: 60_000 }, async () => {
    const lobbies = await Promise.all(['red', 'blue'].map((player, node) => make(node, player, 'duel')))
    await Promise.all(
      lobbies.map((id, node) =>
        cluster
          .node(node)
          .call({ method: 'POST', path: `/v1/lobbies/${id}/queue`, player: ['red', 'blue'][node] ?? '' }),
      ),
    )
    for (const id of lobbies)
      await eventually(
        () => cluster.node(0).call<LobbyBody>({ method: 'GET', path: `/v1/lobbies/${id}` }),
        ({ body }) => body.status === 'in_game',
      )
    const room = await make(0, 'host', 'rooms')
    const joins = await Promise.all(
      Array.from({ length: 12 }, (_, guest) =>
        cluster.next().call({ method: 'POST', path: `/v1/lobbies/${room}/join`, player: `guest-${guest}`, body: {} }),
      ),
    )
    expect(joins.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(new Set(joins.map(({ status }) => status))).toEqual(new Set([200, 409]))
  })
})
