import { describe, expect, it } from 'vitest'
import { service } from './service'

async function arena() {
  const given = await service()
  const { matchyard, projectId } = given
  await matchyard.queues.create({
    projectId,
    queueId: 'duel',
    name: 'Duel',
    matchmaking: { teams: 2, playersPerTeam: 1 },
  })
  const make = (playerId: string) =>
    matchyard.lobbies.create({ projectId, queueId: 'duel', playerId, state: { secret: `of ${playerId}` } })
  const settle = async () => {
    while ((await matchyard.worker.runDueJobs()) > 0);
  }
  const erase = async (playerId: string) => {
    await matchyard.players.erase({ projectId, playerId })
    await settle()
  }
  const read = (lobbyId: string) => matchyard.lobbies.get({ projectId, lobbyId, backend: true })
  return { ...given, make, settle, erase, read }
}

describe('a player who is erased', () => {
  it('is in no lobby any more, in whatever state it is; hosts follow, and lobbies end as by leaving', async () => {
    const { matchyard, projectId, make, erase, read } = await arena()
    const alone = await make('ann')
    const hosted = await make('ann')
    await matchyard.lobbies.join({ projectId, lobbyId: hosted.id, playerId: 'bob' })
    const searching = await make('cid')
    await matchyard.lobbies.join({ projectId, lobbyId: searching.id, playerId: 'ann' })
    const played = await make('dee')
    await matchyard.lobbies.join({ projectId, lobbyId: played.id, playerId: 'ann' })
    await matchyard.lobbies.start({ projectId, lobbyId: played.id, playerId: 'dee' })
    await erase('ann')
    await expect(read(alone.id)).rejects.toMatchObject({ code: 'LOBBY_NOT_FOUND' })
    expect(await read(hosted.id)).toMatchObject({ hostPlayerId: 'bob', players: [{ playerId: 'bob' }] })
    expect((await read(searching.id)).players).toMatchObject([{ playerId: 'cid' }])
    expect((await read(played.id)).players).toMatchObject([{ playerId: 'dee' }])
    expect((await matchyard.lobbies.ofPlayer({ projectId, playerId: 'ann' })).total).toBe(0)
  })

  it('leaves a place without id and state in matches, those that are over too, and nothing anywhere else', async () => {
    const { matchyard, projectId, make, settle, erase, data, clock } = await arena()
    const lobbies = [await make('ann'), await make('bob')]
    for (const { id, hostPlayerId } of lobbies) {
      await matchyard.lobbies.enqueue({ projectId, lobbyId: id, playerId: hostPlayerId })
    }
    await matchyard.matchmaking.runQueue(`${projectId}/duel`)
    await settle()
    const matchId = (await matchyard.lobbies.get({ projectId, lobbyId: lobbies[0]?.id ?? '', backend: true })).matchId
    await matchyard.lobbies.end({ projectId, lobbyId: lobbies[1]?.id ?? '', backend: true })
    await erase('ann')
    const { match } = await matchyard.matches.get({ projectId, matchId: matchId ?? '' })
    const players = match.teams.flatMap((team) => team.players)
    expect(players.map(({ playerId, state }) => [playerId, state]).sort()).toEqual([
      ['', {}],
      ['bob', { secret: 'of bob' }],
    ])
    expect(match.status).toBe('ended')
    // The events that streams may replay are forgotten within the hour.
    clock.advance(2 * 3_600_000)
    await settle()
    const kept = [...data.entities.values()].flatMap((rows) => [...rows.values()].map(({ text }) => text))
    for (const text of [...kept, ...[...data.events.values()].flat().map((event) => event.text)]) {
      expect(text).not.toContain('of ann')
      expect(text).not.toContain('"ann"')
    }
  })

  it('may be erased again, and so may one whom nobody knows; others of the name in other projects stay', async () => {
    const { matchyard, projectId, make, erase, read } = await arena()
    const { id: other } = await matchyard.projects.ensure({ name: 'another' })
    await matchyard.queues.create({ projectId: other, queueId: 'duel', name: 'Duel' })
    const theirs = await matchyard.lobbies.create({ projectId: other, queueId: 'duel', playerId: 'ann' })
    await make('ann')
    await erase('ann')
    await erase('ann')
    await erase('nobody')
    expect((await matchyard.lobbies.get({ projectId: other, lobbyId: theirs.id, backend: true })).players).toHaveLength(
      1,
    )
    const again = await make('ann')
    expect((await read(again.id)).players).toHaveLength(1)
    expect((await matchyard.lobbies.ofPlayer({ projectId, playerId: 'ann' })).total).toBe(1)
  })
})
