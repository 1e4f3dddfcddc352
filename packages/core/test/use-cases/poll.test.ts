import { createMatchyard, type Lobby, type StreamLimits } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { settled } from './service'

const SECOND = 1_000

/** Returns a lobby of ann, and the calls that wait for its next version. */
async function polled({ streams = {}, heartbeat = false }: { streams?: Partial<StreamLimits>; heartbeat?: boolean }) {
  const clock = new FakeClock()
  const storage: Storage = memoryStorage()
  const matchyard = createMatchyard({ ...fakePlatform({ clock, seed: 1 }), streams, storage })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', heartbeat, heartbeatTimeoutSeconds: 20 })
  const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
  const on = { projectId, lobbyId, playerId: 'ann', backend: false }
  /** Starts a wait of 25 s for a version after `afterVersion`, and returns its answer when it has one. */
  const poll = (afterVersion: number, more: object = {}) => {
    const seen: { answer?: Lobby | undefined; error?: unknown; done: boolean } = { done: false }
    const done = matchyard.lobbies.poll({ ...on, afterVersion, waitSeconds: 25, ...more }).then(
      (answer) => Object.assign(seen, { answer, done: true }),
      (error: unknown) => Object.assign(seen, { error, done: true }),
    )
    return { seen, done }
  }
  let changes = 0
  const change = () => matchyard.lobbies.updatePlayer({ ...on, targetPlayerId: 'ann', state: { n: ++changes } })
  return { matchyard, clock, on, poll, change }
}

describe('a wait for the next version of a lobby', () => {
  it('is answered at once where the version is another one, older or newer', async () => {
    const { matchyard, on } = await polled({})
    for (const afterVersion of [0, 7]) {
      expect(await matchyard.lobbies.poll({ ...on, afterVersion, waitSeconds: 25 })).toMatchObject({ version: 1 })
    }
    expect(matchyard.openStreams()).toBe(0)
  })

  it('is answered by the change, and by a burst of them once, with the newest', async () => {
    const { matchyard, poll, change } = await polled({})
    const { seen, done } = poll(1)
    await settled()
    expect(seen.done).toBe(false)
    await change()
    await done
    expect(seen.answer).toMatchObject({ version: 2 })
    const burst = poll(2)
    await Promise.all([change(), change(), change()])
    await burst.done
    expect(burst.seen.answer?.version).toBeGreaterThan(2)
    expect(matchyard.openStreams()).toBe(0)
  })

  it('says that there is nothing new when its time is over, and leaves nothing behind', async () => {
    const { matchyard, clock, poll } = await polled({})
    const { seen, done } = poll(1)
    await settled()
    clock.advance(25 * SECOND - 1)
    await settled()
    expect(seen.done).toBe(false)
    expect(matchyard.openStreams()).toBe(1)
    clock.advance(1)
    await done
    expect(seen).toEqual({ done: true, answer: undefined })
    expect(matchyard.openStreams()).toBe(0)
    expect(clock.nextTimerAt()).toBeUndefined()
  })

  it('without a wait only looks', async () => {
    const { matchyard, on } = await polled({ streams: { open: 0 } })
    expect(await matchyard.lobbies.poll({ ...on, afterVersion: 1, waitSeconds: 0 })).toBeUndefined()
  })

  it('is LOBBY_NOT_FOUND once the lobby is deleted', async () => {
    const { matchyard, on, poll } = await polled({})
    const { seen, done } = poll(1)
    await settled()
    await matchyard.lobbies.delete(on)
    await done
    expect(seen.error).toMatchObject({ code: 'LOBBY_NOT_FOUND' })
    await expect(matchyard.lobbies.poll({ ...on, afterVersion: 1, waitSeconds: 25 })).rejects.toMatchObject({
      code: 'LOBBY_NOT_FOUND',
    })
  })

  it('ends when its caller goes away, and with the service', async () => {
    const { matchyard, clock, poll } = await polled({})
    const caller = new AbortController()
    const [gone, left] = [poll(1, { signal: caller.signal }), poll(1)]
    await settled()
    caller.abort()
    await gone.done
    expect([gone.seen.done, left.seen.done]).toEqual([true, false])
    await matchyard.stop()
    await left.done
    expect(left.seen).toEqual({ done: true, answer: undefined })
    expect(clock.nextTimerAt()).toBeUndefined()
  })

  it('takes a place among the streams, on the node and with its key', async () => {
    const { matchyard, poll } = await polled({ streams: { open: 4, openPerKey: 1 } })
    const first = poll(1, { keyId: 'key_1' })
    await settled()
    const second = poll(1, { keyId: 'key_1' })
    await second.done
    expect(second.seen.error).toMatchObject({ code: 'UNAVAILABLE' })
    const third = poll(1, { keyId: 'key_2' })
    await settled()
    const fourth = poll(1, { keyId: 'key_3' })
    await fourth.done
    expect(fourth.seen.error).toMatchObject({ code: 'UNAVAILABLE' })
    expect([first.seen.done, third.seen.done]).toEqual([false, false])
    await matchyard.stop()
  })

  it('of a member past the eighth ends the oldest, which is told that there is nothing new', async () => {
    const { matchyard, poll } = await polled({})
    const waits = Array.from({ length: 9 }, () => poll(1))
    await settled()
    expect(waits.map(({ seen }) => seen.done)).toEqual([true, ...Array(8).fill(false)])
    expect([waits[0]?.seen.answer, waits[0]?.seen.error, matchyard.openStreams()]).toEqual([undefined, undefined, 8])
    await matchyard.stop()
  })

  it('of clients that are not in the lobby takes one of 256 places, whoever they say they are; members find their own', async () => {
    const { matchyard, poll } = await polled({})
    for (let n = 0; n < 256; n++) poll(1, { playerId: `invented ${n}` })
    await settled()
    const refused = poll(1, { playerId: 'one more' })
    await refused.done
    expect(refused.seen.error).toMatchObject({ code: 'UNAVAILABLE' })
    const [member, backend] = [poll(1), poll(1, { backend: true })]
    await settled()
    expect([member.seen.done, backend.seen.done, matchyard.openStreams()]).toEqual([false, false, 258])
    await matchyard.stop()
  })

  it('is a heartbeat for as long as it goes on', async () => {
    const { matchyard, clock, on, poll } = await polled({ heartbeat: true })
    await matchyard.lobbies.join({ ...on, playerId: 'bob' })
    for (let version = 2, seconds = 0; seconds < 100; seconds += 25) {
      const { done } = poll(version)
      await settled()
      for (let second = 0; second < 25; second++) {
        clock.advance(SECOND)
        await matchyard.worker.notePresence()
        await matchyard.worker.runDueJobs()
        await settled()
      }
      await done
      version = (await matchyard.lobbies.get({ ...on, backend: true })).version
    }
    // Bob made no call in that time, so only he was removed.
    expect(await matchyard.lobbies.get({ ...on, backend: true })).toMatchObject({ players: [{ playerId: 'ann' }] })
  })

  it('with a server key keeps no lobby from being idle', async () => {
    const { matchyard, clock, on } = await polled({ heartbeat: true })
    const waiting = matchyard.lobbies.poll({ ...on, backend: true, afterVersion: 1, waitSeconds: 25 })
    const failed = expect(waiting).rejects.toMatchObject({ code: 'LOBBY_NOT_FOUND' })
    await settled()
    for (let second = 0; second < 25; second++) {
      clock.advance(SECOND)
      await matchyard.worker.notePresence()
      await matchyard.worker.runDueJobs()
      await settled()
    }
    await failed
  })

  it('is refused for longer than 25 seconds, and for what is no whole number', async () => {
    const { matchyard, on } = await polled({})
    for (const waitSeconds of [26, -1, 1.5]) {
      await expect(matchyard.lobbies.poll({ ...on, afterVersion: 1, waitSeconds })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
      })
    }
  })
})
