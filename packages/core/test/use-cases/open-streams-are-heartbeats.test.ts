import type { Lobby } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { describe, expect, it } from 'vitest'
import { type Service, service, settled } from './service'

const SECOND = 1_000

/** Returns a service with a running loop, two queues with long timeouts and one with short ones. */
async function running(around?: (storage: Storage) => Partial<Storage>): Promise<Service> {
  const given = await service(around)
  const { matchyard, projectId } = given
  const slow = { projectId, name: 'Slow', lobbyTtlSeconds: 3_600, matchmaking: {} }
  await matchyard.queues.create({ ...slow, queueId: 'quiet' })
  await matchyard.queues.create({ ...slow, queueId: 'slow', heartbeat: true, heartbeatTimeoutSeconds: 600 })
  await matchyard.queues.create({ ...slow, queueId: 'strict', heartbeat: true, heartbeatTimeoutSeconds: 2 })
  await matchyard.start()
  return given
}

/** Lets time pass, in steps that are shorter than any timeout. */
async function live({ clock }: Service, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    await settled()
    clock.advance(Math.min(50, ms - passed))
  }
  await settled()
}

/** Returns a lobby of ann, who has an open stream, and bob, who has none. */
async function watched(given: Service, queueId: string) {
  const { matchyard, projectId } = given
  const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId, playerId: 'ann' })
  await matchyard.lobbies.join({ projectId, lobbyId, playerId: 'bob' })
  const stream = await matchyard.lobbies.watch({ projectId, lobbyId, playerId: 'ann', backend: false })
  // Reads the stream to its end.
  const reading = (async () => {
    while ((await stream.next()) !== undefined);
  })()
  return { lobbyId, stream, reading }
}

/** Returns the players of the lobby; undefined when it is gone. */
async function membersOf({ matchyard, projectId }: Service, lobbyId: string): Promise<string[] | undefined> {
  const lobby: Lobby | undefined = await matchyard.lobbies
    .get({ projectId, lobbyId, backend: true })
    .catch(() => undefined)
  return lobby?.players.map(({ playerId }) => playerId)
}

const without =
  (topic: string) =>
  (storage: Storage): Partial<Storage> => ({
    subscribe: (listener) => storage.subscribe((signal) => signal.topic !== topic && listener(signal)),
  })

describe('a player with an open stream is not dropped, and one without has a whole timeout from the change', () => {
  it.each([
    ['heartbeat is switched on', 'quiet', { heartbeat: true, heartbeatTimeoutSeconds: 2 }],
    ['heartbeat is shortened', 'slow', { heartbeatTimeoutSeconds: 2 }],
  ])('when %s', async (_, queueId, changes) => {
    const given = await running()
    const { lobbyId } = await watched(given, queueId)
    await live(given, 300 * SECOND)
    await given.matchyard.queues.update({ projectId: given.projectId, queueId, changes })
    await live(given, 1_900)
    expect(await membersOf(given, lobbyId)).toEqual(['ann', 'bob'])
    await live(given, 300)
    expect(await membersOf(given, lobbyId)).toEqual(['ann'])
    await live(given, 20 * SECOND)
    expect(await membersOf(given, lobbyId)).toEqual(['ann'])
    await given.matchyard.stop()
  })

  it('when its lobby moves to another queue', async () => {
    const given = await running()
    const { lobbyId } = await watched(given, 'slow')
    await live(given, 300 * SECOND)
    const { matchyard, projectId } = given
    await matchyard.lobbies.updateSettings({ projectId, lobbyId, playerId: 'ann', changes: { queueId: 'strict' } })
    await live(given, 1_900)
    expect(await membersOf(given, lobbyId)).toEqual(['ann', 'bob'])
    await live(given, 300)
    expect(await membersOf(given, lobbyId)).toEqual(['ann'])
    await live(given, 20 * SECOND)
    expect(await membersOf(given, lobbyId)).toEqual(['ann'])
    await matchyard.stop()
  })

  it('when the lobby ttl is lowered', async () => {
    const given = await running()
    const { matchyard, projectId } = given
    const { lobbyId } = await watched(given, 'quiet')
    const { id: silent } = await matchyard.lobbies.create({ projectId, queueId: 'quiet', playerId: 'cat' })
    await live(given, 300 * SECOND)
    await matchyard.queues.update({ projectId, queueId: 'quiet', changes: { lobbyTtlSeconds: 2 } })
    await live(given, 1_900)
    expect(await membersOf(given, silent)).toEqual(['cat'])
    await live(given, 300)
    expect(await membersOf(given, silent)).toBeUndefined()
    await live(given, 20 * SECOND)
    expect(await membersOf(given, lobbyId)).toEqual(['ann', 'bob'])
    await matchyard.stop()
  })

  it('though the signal that the queue changed is lost', async () => {
    const given = await running(without('queue'))
    const { lobbyId } = await watched(given, 'slow')
    await live(given, 300 * SECOND)
    const changes = { heartbeatTimeoutSeconds: 2 }
    await given.matchyard.queues.update({ projectId: given.projectId, queueId: 'slow', changes })
    await live(given, 20 * SECOND)
    expect(await membersOf(given, lobbyId)).toEqual(['ann'])
    await given.matchyard.stop()
  })

  it('though the stream opens while the timeouts change', async () => {
    const given = await running()
    const { matchyard, projectId } = given
    const changes = { heartbeat: true, heartbeatTimeoutSeconds: 1 }
    const [{ lobbyId }] = await Promise.all([
      watched(given, 'quiet'),
      matchyard.queues.update({ projectId, queueId: 'quiet', changes }),
    ])
    await live(given, 20 * SECOND)
    expect(await membersOf(given, lobbyId)).toEqual(['ann'])
    await matchyard.stop()
  })
})

it('a queue whose timeouts become longer, or stay, starts no new count', async () => {
  const given = await running()
  const { matchyard, projectId } = given
  const { lobbyId } = await watched(given, 'strict')
  await live(given, 1_500)
  await matchyard.queues.update({ projectId, queueId: 'strict', changes: { name: 'Another', lobbyTtlSeconds: 7_200 } })
  await live(given, 700)
  expect(await membersOf(given, lobbyId)).toEqual(['ann'])
  await matchyard.stop()
})

describe('the end of a stream', () => {
  it('is a sighting: a whole timeout counts from it', async () => {
    const given = await running()
    const { matchyard, projectId } = given
    await matchyard.queues.update({ projectId, queueId: 'strict', changes: { heartbeatTimeoutSeconds: 40 } })
    const { lobbyId, stream } = await watched(given, 'strict')
    // The stream closes just before the next quarter of the timeout.
    await live(given, 19_500)
    stream.close()
    await live(given, 39_800)
    expect(await membersOf(given, lobbyId)).toEqual(['ann'])
    await live(given, 500)
    expect(await membersOf(given, lobbyId)).toBeUndefined()
    await matchyard.stop()
  })

  it('is noted when the service stops', async () => {
    let sightings: { member: string; at: number }[] = []
    const given = await running((storage) => ({
      close: async () => {
        const [lobbyId = ''] = lobbyIds
        sightings = await storage.presence.read(lobbyId)
        await storage.close()
      },
    }))
    const { lobbyId } = await watched(given, 'slow')
    const lobbyIds = [lobbyId]
    await live(given, 100 * SECOND)
    await given.matchyard.stop()
    expect(sightings.find(({ member }) => member === 'ann')?.at).toBe(given.clock.now())
  })

  it('is none where it ended because the player was removed or the lobby deleted', async () => {
    const touched: string[] = []
    const given = await running((storage) => ({
      presence: {
        ...storage.presence,
        touch: (entries) => {
          touched.push(...entries.map(({ member }) => member))
          return storage.presence.touch(entries)
        },
      },
    }))
    const { matchyard, projectId } = given
    const { lobbyId, reading } = await watched(given, 'quiet')
    await live(given, SECOND)
    touched.length = 0
    await matchyard.lobbies.delete({ projectId, lobbyId, backend: true })
    await reading
    await live(given, SECOND)
    expect(touched).toEqual([])
    await matchyard.stop()
  })
})

it("a member's question why the lobby still waits counts like any call", async () => {
  const given = await running()
  const { matchyard, projectId } = given
  const changes = { heartbeatTimeoutSeconds: 10 }
  await matchyard.queues.update({ projectId, queueId: 'strict', changes: { ...changes, matchmaking: {} } })
  const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'strict', playerId: 'ann' })
  await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId: 'ann' })
  for (let i = 0; i < 4; i++) {
    await live(given, 6 * SECOND)
    await matchyard.lobbies.explainMatchmaking({ projectId, lobbyId, playerId: 'ann', backend: false })
  }
  expect(await membersOf(given, lobbyId)).toEqual(['ann'])
  await matchyard.stop()
})
