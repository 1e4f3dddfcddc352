import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../src/client'
import { type EmbeddedService, embeddedService } from '../src/embedded-service'
import { rounds, seeded } from '../src/rounds'

interface LobbyBody {
  readonly lobby_id: string
  readonly status: string
  readonly match_id: string | null
  readonly version: number
  readonly code?: string
}

const lobbyOf = async (client: Client, lobbyId: string) =>
  (await client.call<LobbyBody>({ method: 'GET', path: `/v1/lobbies/${lobbyId}` })).body

async function queued(client: Client, player: string): Promise<string> {
  const created = await client.call<LobbyBody>({
    method: 'POST',
    path: '/v1/lobbies',
    player,
    body: { queue_id: 'duel' },
  })
  return created.body.lobby_id
}

describe('a cancel racing a match', () => {
  let matchyard: EmbeddedService
  beforeAll(async () => {
    matchyard = await embeddedService()
    await matchyard.service.matchyard.queues.create({
      projectId: matchyard.projectId,
      queueId: 'duel',
      name: 'Duel',
      matchmaking: { teams: 2, playersPerTeam: 1 },
    })
  })
  afterAll(() => matchyard.stop())

  it('leaves the lobby in a match or in waiting, never both, and each happens', { timeout: 600_000 }, async () => {
    const { client } = matchyard
    const random = seeded()
    const outcomes = { cancelled: 0, matched: 0 }
    // The delay adapts to the outcomes, so that neither side keeps winning. A race that always ends the same way tests
    // nothing.
    let delayMs = 4
    const acknowledged: { lobbyId: string; version: number }[] = []
    for (let round = 0; round < rounds(1_000); round++) {
      const [ann, bob] = [`ann${round}`, `bob${round}`]
      const [first, second] = [await queued(client, ann), await queued(client, bob)]
      await client.call({ method: 'POST', path: `/v1/lobbies/${first}/queue`, player: ann })
      const entering = client.call({ method: 'POST', path: `/v1/lobbies/${second}/queue`, player: bob })
      const pause = random.next() * delayMs
      if (pause >= 1) await wait(pause)
      const cancel = await client.call<LobbyBody>({ method: 'DELETE', path: `/v1/lobbies/${first}/queue`, player: ann })
      await entering
      if (cancel.status === 200) {
        outcomes.cancelled++
        delayMs = Math.min(200, delayMs * 1.05)
        expect(cancel.body).toMatchObject({ status: 'waiting', match_id: null })
        acknowledged.push({ lobbyId: first, version: cancel.body.version })
        const other = await client.call<LobbyBody>({
          method: 'DELETE',
          path: `/v1/lobbies/${second}/queue`,
          player: bob,
        })
        expect(other.status).toBe(200)
      } else {
        outcomes.matched++
        delayMs = Math.max(1, delayMs * 0.95)
        expect(cancel.body.code).toBe('INVALID_LOBBY_STATE')
        const [a, b] = [await lobbyOf(client, first), await lobbyOf(client, second)]
        expect(a.match_id).not.toBeNull()
        expect(b.match_id).toBe(a.match_id)
        await client.call({ method: 'DELETE', path: `/v1/lobbies/${first}`, key: matchyard.serverKey })
        await client.call({ method: 'DELETE', path: `/v1/lobbies/${second}`, key: matchyard.serverKey })
      }
    }
    // A lobby has no further change after its acknowledged cancel.
    for (const { lobbyId, version } of acknowledged) {
      expect(await lobbyOf(client, lobbyId)).toMatchObject({ status: 'waiting', match_id: null, version })
    }
    console.log(`seed ${random.seed}: ${outcomes.cancelled} cancelled, ${outcomes.matched} matched`)
    const tenth = rounds(1_000) / 10
    expect(outcomes.cancelled).toBeGreaterThanOrEqual(tenth)
    expect(outcomes.matched).toBeGreaterThanOrEqual(tenth)
  })
})
