import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedService, embeddedService } from '../src/embedded-service'
import { rounds } from '../src/rounds'

const JOINERS = 50

describe('the last seat', () => {
  let matchyard: EmbeddedService
  beforeAll(async () => {
    matchyard = await embeddedService()
    await matchyard.service.matchyard.queues.create({
      projectId: matchyard.projectId,
      queueId: 'duel',
      name: 'Duel',
      maxPlayers: 2,
    })
  })
  afterAll(() => matchyard.stop())

  it(`has exactly one winner among ${JOINERS} who join at once over real sockets`, { timeout: 600_000 }, async () => {
    const { client } = matchyard
    for (let round = 0; round < rounds(1_000); round++) {
      const created = await client.call({
        method: 'POST',
        path: '/v1/lobbies',
        player: 'host',
        body: { queue_id: 'duel' },
      })
      const path = `/v1/lobbies/${created.body.lobby_id}/join`
      const answers = await Promise.all(
        Array.from({ length: JOINERS }, (_, joiner) =>
          client.call({ method: 'POST', path, player: `p${joiner}`, body: {} }),
        ),
      )
      const winners = answers.filter((answer) => answer.status === 200)
      expect(winners).toHaveLength(1)
      for (const loser of answers) if (loser.status !== 200) expect(loser.body.code).toBe('LOBBY_FULL')
      const lobby = await client.call({ method: 'GET', path: `/v1/lobbies/${created.body.lobby_id}` })
      expect(lobby.body).toMatchObject({ current_players: 2, version: 2 })
    }
  })
})
