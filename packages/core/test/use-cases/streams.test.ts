import type { Storage } from '@matchyard/core/ports'
import { copyMemoryData, goBackTo } from '@matchyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { service, settled } from './service'

const HOUR = 3_600_000

describe('a stream from the oldest event on', () => {
  it('tells a backend the creation first, and shows a member the lobby as it is', async () => {
    const { matchyard, projectId } = await service()
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    const on = { projectId, lobbyId, playerId: 'ann', fromOldest: true }
    await matchyard.lobbies.join({ projectId, lobbyId, playerId: 'bob' })
    const told = async (backend: boolean, lastEventId?: string) => {
      const stream = await matchyard.lobbies.watch({ ...on, backend, lastEventId })
      const { event, id, lobby } = (await stream.next()) ?? {}
      stream.close()
      return [event, id, lobby?.players.length]
    }
    expect(await told(true)).toEqual(['lobby_updated', 1, 1])
    expect(await told(true, '1')).toEqual(['lobby_updated', 2, 2])
    expect(await told(false)).toEqual(['connected', 2, 2])
  })
})

describe('a stream whose log is forgotten before it was read', () => {
  /** Returns a lobby of ann whose log is read through `read`. */
  async function watched(read: (storage: Storage) => Storage['events']['read']) {
    let storage: Storage | undefined
    const given = await service((real) => {
      storage = real
      return { events: { ...real.events, read: read(real) } }
    })
    const { matchyard, projectId } = given
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    const on = { projectId, lobbyId, playerId: 'ann', backend: false }
    return { ...given, on, prune: () => storage?.events.prune(given.clock.now()) }
  }

  it('ends where the lobby was deleted long ago', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { matchyard, on, clock, prune } = await watched((real) => async (...query) => {
      await held
      return real.events.read(...query)
    })
    const opening = matchyard.lobbies.watch(on)
    await settled()
    await matchyard.lobbies.delete(on)
    clock.advance(2 * HOUR)
    await prune()
    release()
    const stream = await opening
    expect((await stream.next())?.event).toBe('connected')
    expect(await stream.next()).toBeUndefined()
  })

  it('ends at a gap, and its reader resumes with the lobby as it is', async () => {
    let isForgotten = false
    const { matchyard, on } = await watched((real) => async (...query) => {
      const events = await real.events.read(...query)
      return isForgotten ? events.filter(({ version }) => version > 2) : events
    })
    const stream = await matchyard.lobbies.watch(on)
    expect((await stream.next())?.id).toBe(1)
    isForgotten = true
    for (const name of ['one', 'two']) await matchyard.lobbies.updateSettings({ ...on, changes: { name } })
    expect(await stream.next()).toBeUndefined()
    expect(stream.dropped).toBe(true)
    isForgotten = false
    const again = await matchyard.lobbies.watch(on)
    expect(await again.next()).toMatchObject({ event: 'connected', id: 3, lobby: { name: 'two' } })
  })
})

describe('a stream of a store that goes back', () => {
  it('ends where more was told than the log has, and its reader is shown the lobby as it is', async () => {
    const { matchyard, projectId, data } = await service()
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    const on = { projectId, lobbyId, playerId: 'ann', backend: false }
    const backup = copyMemoryData(data)
    const stream = await matchyard.lobbies.watch(on)
    expect((await stream.next())?.id).toBe(1)
    for (const name of ['lost', 'lost too']) await matchyard.lobbies.updateSettings({ ...on, changes: { name } })
    expect([(await stream.next())?.id, (await stream.next())?.id]).toEqual([2, 3])
    goBackTo(data, backup)
    expect(await stream.next()).toBeUndefined()
    const again = await matchyard.lobbies.watch({ ...on, lastEventId: '3' })
    expect(await again.next()).toMatchObject({ event: 'connected', id: 1, lobby: { name: null } })
  })

  it('tells nothing of what was read before, also under a version that there is again', async () => {
    const { matchyard, projectId, data } = await service()
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    const on = { projectId, lobbyId, playerId: 'ann', backend: false }
    const backup = copyMemoryData(data)
    const stream = await matchyard.lobbies.watch(on)
    expect((await stream.next())?.id).toBe(1)
    await matchyard.lobbies.updateSettings({ ...on, changes: { name: 'lost' } })
    expect((await stream.next())?.id).toBe(2)
    goBackTo(data, backup)
    await settled()
    await matchyard.lobbies.updateSettings({ ...on, changes: { name: 'true' } })
    const resumed = await matchyard.lobbies.watch({ ...on, lastEventId: '1' })
    expect(await resumed.next()).toMatchObject({ event: 'lobby_updated', id: 2, lobby: { name: 'true' } })
  })
})

describe('streams of a service that stops', () => {
  it('end as they begin, where they are opened meanwhile', async () => {
    const { matchyard, projectId } = await service()
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    const stopped = matchyard.stop()
    const stream = await matchyard.lobbies.watch({ projectId, lobbyId, playerId: 'ann', backend: false })
    expect(await stream.next()).toBeUndefined()
    expect(matchyard.openStreams()).toBe(0)
    await stopped
  })
})
