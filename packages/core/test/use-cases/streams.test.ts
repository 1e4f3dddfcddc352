import type { Storage } from '@matchyard/core'
import { describe, expect, it } from 'vitest'
import { service, settled } from './service'

const HOUR = 3_600_000

describe('a stream whose log is forgotten before it was read', () => {
  /** A lobby of ann's whose log is read through `read`. */
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
