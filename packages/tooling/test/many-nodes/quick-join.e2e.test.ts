import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../../src/many-nodes/cluster'
import { rounds } from '../../src/rounds'

const SEATS = 10

interface LobbyBody {
  readonly lobby_id: string
  readonly current_players: number
  readonly players: readonly { readonly player_id: string }[]
}

/** Extra lobbies that the race may create, as a share of the lobbies needed. */
const SPARE = 0.01

describe('quick joins across nodes', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster(3)
    const queue = { queue_id: 'open', name: 'Open', max_players: SEATS }
    const call = { method: 'POST', path: '/v1/queues', key: cluster.serverKey, body: queue }
    expect((await cluster.next().call(call)).status).toBe(201)
  }, 120_000)
  afterAll(() => cluster?.stop())

  it('by a crowd at once fill lobby after lobby, and refuse nobody', { timeout: 600_000 }, async () => {
    const crowd = rounds(1_000)
    const path = '/v1/lobbies/quick-join'
    const body = { queue_id: 'open', filter: { mode: 'duel', level: 5 }, state: { mmr: 1_500 } }
    const since = performance.now()
    const answers = await Promise.all(
      Array.from({ length: crowd }, (_, n) =>
        cluster.next().call<LobbyBody>({ method: 'POST', path, player: `p${n}`, body }),
      ),
    )
    const took = Math.round(performance.now() - since)
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 201)).toEqual([])

    const lobbies: LobbyBody[] = []
    for (let total = 1; lobbies.length < total; ) {
      const list = `/v1/lobbies?queue_id=open&settings[mode]=duel&settings[level]=5&limit=100&offset=${lobbies.length}`
      const page = await cluster.next().call<{ total: number; data: LobbyBody[] }>({ method: 'GET', path: list })
      total = page.body.total
      lobbies.push(...page.body.data)
    }
    const needed = Math.ceil(crowd / SEATS)
    console.log(`${crowd} players in ${took} ms: ${lobbies.length} lobbies, ${needed} needed`)
    expect(lobbies.length).toBeLessThanOrEqual(needed + Math.floor(needed * SPARE))
    expect(Math.max(...lobbies.map(({ current_players }) => current_players))).toBeLessThanOrEqual(SEATS)
    const seated = lobbies.flatMap(({ players }) => players.map(({ player_id }) => player_id))
    expect([seated.length, new Set(seated).size]).toEqual([crowd, crowd])
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(lobbies.length)
  })
})
