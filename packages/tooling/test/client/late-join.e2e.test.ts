import { createClient } from '@matchyard/client'
import { createAdmin } from '@matchyard/client/admin'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedService, embeddedService } from '../../src/embedded-service'

describe('a friend with the client', () => {
  let service: EmbeddedService
  beforeAll(async () => {
    service = await embeddedService()
    const admin = createAdmin({ baseUrl: service.service.baseUrl, serverKey: service.serverKey })
    const matchmaking = { teams: 2, players_per_team: 1, late_join: true }
    await admin.queues.ensure({ queue_id: 'late', name: 'Late', matchmaking })
  })
  afterAll(() => service.stop())

  it('joins the running match by the seat that a player of the match keeps', async () => {
    const { baseUrl } = service.service
    const [ann, bob, eve] = ['ann', 'bob', 'eve'].map((player) =>
      createClient({ baseUrl, clientKey: service.clientKey, player }),
    ) as [ReturnType<typeof createClient>, ReturnType<typeof createClient>, ReturnType<typeof createClient>]
    const [annPlays, bobPlays] = await Promise.all([ann.play('late'), bob.play('late')])
    await bobPlays.lobby.leave()
    const seat = await annPlays.keepSeat('eve', { hold: 60 })
    expect(seat).toMatchObject({ player_id: 'eve', team: bobPlays.me.team })
    const lobby = await eve.lobbies.create({ queueId: 'late' })
    const evePlays = await lobby.joinMatch(annPlays.id)
    expect(evePlays).toMatchObject({ id: annPlays.id, me: { playerId: 'eve', team: bobPlays.me.team } })
    await expect(annPlays.freeSeat('eve')).rejects.toMatchObject({ code: 'SEAT_NOT_FOUND' })
    for (const client of [ann, bob, eve]) client.close()
  })
})
