import { memoryStorage } from '@matchyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { type Service, service } from './service'

const HOUR = 3_600_000

async function lobby(given: Service) {
  const { matchyard, projectId, data, clock } = given
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', lobbyTtlSeconds: 864_000 })
  const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'bob' })
  const on = (playerId: string) => ({ projectId, lobbyId, playerId })
  /** Joins, and sends a heartbeat a little later, because a join alone writes no sighting. */
  const join = async () => {
    await matchyard.lobbies.join(on('ann'))
    clock.advance(250)
    for (const playerId of ['ann', 'bob']) await matchyard.lobbies.heartbeat(on(playerId))
  }
  const known = async () => (await memoryStorage({ data }).presence.read(lobbyId)).map(({ member }) => member).sort()
  /** Lets time pass, with a heartbeat of bob and the service's work every half hour. */
  const live = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += HOUR / 2) {
      clock.advance(HOUR / 2)
      await matchyard.lobbies.heartbeat(on('bob')).catch(() => {})
      while ((await matchyard.worker.runDueJobs()) > 0);
    }
  }
  return { ...given, lobbyId, on, join, known, live }
}

/** Records a sighting as a node does that has not read yet that the player is gone. */
const lateTouch = ({ data, clock }: Service, scope: string, member: string) =>
  memoryStorage({ data }).presence.touch([{ scope, member, at: clock.now() }])

describe('when a player was last seen in a lobby', () => {
  it('is forgotten as the player leaves, is kicked, or is erased', async () => {
    const { matchyard, projectId, on, join, known } = await lobby(await service())
    await join()
    expect(await known()).toEqual(['ann', 'bob'])
    await matchyard.lobbies.leave(on('ann'))
    expect(await known()).toEqual(['bob'])
    await join()
    await matchyard.lobbies.removePlayer({ ...on('bob'), targetPlayerId: 'ann' })
    expect(await known()).toEqual(['bob'])
    await join()
    await matchyard.players.erase({ projectId, playerId: 'ann' })
    while ((await matchyard.worker.runDueJobs()) > 0);
    expect(await known()).toEqual(['bob'])
  })

  it('is forgotten also where it is written after the departure, or could not be forgotten with it', async () => {
    const broken = { now: false }
    const given = await service((storage) => ({
      presence: {
        ...storage.presence,
        forgetMembers: (...args) =>
          broken.now ? Promise.reject(new Error('not now')) : storage.presence.forgetMembers(...args),
      },
    }))
    const { matchyard, on, join, known, live } = await lobby(given)
    await join()
    broken.now = true
    await matchyard.lobbies.leave(on('ann'))
    expect(await known()).toEqual(['ann', 'bob'])
    broken.now = false
    await lateTouch(given, on('ann').lobbyId, 'ann')
    await live(7 * HOUR)
    expect(await known()).toEqual(['bob'])
  })

  it('is forgotten also where it is written after the lobby has ended', async () => {
    const given = await service()
    const { matchyard, lobbyId, on, known, live } = await lobby(given)
    await matchyard.lobbies.leave(on('bob'))
    expect(await known()).toEqual([])
    await lateTouch(given, lobbyId, 'bob')
    await live(2 * HOUR)
    expect(await known()).toEqual([])
  })

  it('is not written beside the lobby for who has just made or joined it', async () => {
    const { matchyard, on, known, clock } = await lobby(await service())
    await matchyard.lobbies.join(on('ann'))
    await matchyard.lobbies.get({ ...on('ann'), backend: false })
    expect(await known()).toEqual([])
    clock.advance(250)
    await matchyard.lobbies.get({ ...on('ann'), backend: false })
    expect(await known()).toEqual(['ann'])
  })

  it('counts anew for who comes back at once', async () => {
    const { matchyard, on, join, known, clock } = await lobby(await service())
    await join()
    await matchyard.lobbies.leave(on('ann'))
    clock.advance(10)
    await join()
    expect(await known()).toEqual(['ann', 'bob'])
  })
})
