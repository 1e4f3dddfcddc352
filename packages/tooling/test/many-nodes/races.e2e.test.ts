import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../../src/many-nodes/cluster'
import { rounds, seeded } from '../../src/rounds'

const JOINERS = 24

interface LobbyBody {
  readonly lobby_id: string
  readonly status: string
  readonly match_id: string | null
  readonly version: number
  readonly current_players: number
  readonly code?: string
}

describe('races across nodes', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster()
    const matchmaking = { teams: 2, players_per_team: 1 }
    for (const queue of [
      { queue_id: 'seats', name: 'Seats', max_players: 2 },
      { queue_id: 'duel', name: 'Duel', matchmaking },
    ]) {
      const call = { method: 'POST', path: '/v1/queues', key: cluster.serverKey, body: queue }
      expect((await cluster.next().call(call)).status).toBe(201)
    }
  }, 120_000)
  afterAll(() => cluster?.stop())

  const make = async (player: string, queueId: string) => {
    const call = { method: 'POST', path: '/v1/lobbies', player, body: { queue_id: queueId } }
    return (await cluster.next().call<LobbyBody>(call)).body.lobby_id
  }
  const read = async (lobbyId: string) =>
    (await cluster.next().call<LobbyBody>({ method: 'GET', path: `/v1/lobbies/${lobbyId}` })).body
  const remove = (lobbyId: string) =>
    cluster.next().call({ method: 'DELETE', path: `/v1/lobbies/${lobbyId}`, key: cluster.serverKey })

  it(`give the last seat to one of ${JOINERS} who join at once on all nodes`, { timeout: 1_800_000 }, async () => {
    for (let round = 0; round < rounds(1_000); round++) {
      const lobbyId = await make('host', 'seats')
      const path = `/v1/lobbies/${lobbyId}/join`
      const joining = Array.from({ length: JOINERS }, (_, joiner) =>
        cluster.next().call<LobbyBody>({ method: 'POST', path, player: `p${joiner}`, body: {} }),
      )
      const answers = await Promise.all(joining)
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const loser of answers) if (loser.status !== 200) expect(loser.body.code).toBe('LOBBY_FULL')
      expect(await read(lobbyId)).toMatchObject({ current_players: 2, version: 2 })
    }
  })

  it('end a cancel against a match one way or the other, never both', { timeout: 1_800_000 }, async () => {
    const random = seeded()
    const outcomes = { cancelled: 0, matched: 0 }
    // The delay adapts to the outcomes, so that neither side keeps winning. A race that always ends the same way tests
    // nothing.
    let delayMs = 4
    const acknowledged: { lobbyId: string; version: number }[] = []
    for (let round = 0; round < rounds(1_000); round++) {
      const [ann, bob] = [`ann${round}`, `bob${round}`]
      const [first, second] = [await make(ann, 'duel'), await make(bob, 'duel')]
      const queueOf = (lobbyId: string) => `/v1/lobbies/${lobbyId}/queue`
      await cluster.next().call({ method: 'POST', path: queueOf(first), player: ann })
      const entering = cluster.next().call({ method: 'POST', path: queueOf(second), player: bob })
      const pause = random.next() * delayMs
      if (pause >= 1) await wait(pause)
      const cancel = await cluster.next().call<LobbyBody>({ method: 'DELETE', path: queueOf(first), player: ann })
      await entering
      if (cancel.status === 200) {
        outcomes.cancelled++
        delayMs = Math.min(200, delayMs * 1.05)
        expect(cancel.body).toMatchObject({ status: 'waiting', match_id: null })
        acknowledged.push({ lobbyId: first, version: cancel.body.version })
        const other = await cluster.next().call({ method: 'DELETE', path: queueOf(second), player: bob })
        expect(other.status).toBe(200)
      } else {
        outcomes.matched++
        delayMs = Math.max(1, delayMs * 0.95)
        expect(cancel.body.code).toBe('INVALID_LOBBY_STATE')
        const [a, b] = [await read(first), await read(second)]
        expect(a.match_id).not.toBeNull()
        expect(b.match_id).toBe(a.match_id)
        await Promise.all([remove(first), remove(second)])
      }
    }
    // A lobby has no further change after its acknowledged cancel.
    for (const { lobbyId, version } of acknowledged) {
      expect(await read(lobbyId)).toMatchObject({ status: 'waiting', match_id: null, version })
    }
    console.log(`seed ${random.seed}: ${outcomes.cancelled} cancelled, ${outcomes.matched} matched`)
    const tenth = rounds(1_000) / 10
    expect(outcomes.cancelled).toBeGreaterThanOrEqual(tenth)
    expect(outcomes.matched).toBeGreaterThanOrEqual(tenth)
  })
})
