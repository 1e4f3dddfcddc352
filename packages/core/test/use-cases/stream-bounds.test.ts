import { createMatchyard, type StreamLimits } from '@matchyard/core'
import type { SignalListener, Storage } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { RecentPages } from '../../src/streams/recent-pages'
import { WaitingBytes } from '../../src/streams/waiting-bytes'
import { settled } from './service'

/** Returns a service that records its reads of logs and keys; the test sends the signals. */
async function watched(around: (real: Storage) => Partial<Storage> = () => ({}), streams: Partial<StreamLimits> = {}) {
  const clock = new FakeClock()
  const real = memoryStorage()
  const storage = { ...real, ...around(real) }
  const asked: string[] = []
  const listeners = new Set<SignalListener>()
  const matchyard = createMatchyard({
    ...fakePlatform({ clock, seed: 1 }),
    streams,
    storage: {
      ...storage,
      events: {
        ...storage.events,
        read: (lobbyId, after, limit, maxBytes) => {
          asked.push(`read after ${after}`)
          return storage.events.read(lobbyId, after, limit, maxBytes)
        },
        heads: (lobbyIds) => {
          asked.push(`heads of ${lobbyIds.length}`)
          return storage.events.heads(lobbyIds)
        },
      },
      get: (kind, id) => {
        if (kind === 'api-key') asked.push('get api-key')
        return storage.get(kind, id)
      },
      getMany: (kind, ids) => {
        if (kind === 'api-key') asked.push(`getMany of ${ids.length}`)
        return storage.getMany(kind, ids)
      },
      subscribe: (listener) => {
        listeners.add(listener)
        return storage.subscribe(listener)
      },
    },
  })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
  const makeLobby = async (playerId = 'ann') => {
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId })
    return { projectId, lobbyId, playerId, backend: false }
  }
  let changes = 0
  const change = (on: Awaited<ReturnType<typeof makeLobby>>, filler = '') =>
    matchyard.lobbies.updatePlayer({ ...on, targetPlayerId: on.playerId, state: { n: ++changes, filler } })
  const resync = async () => {
    for (const listener of listeners) listener({ topic: 'resync', id: '' })
    await settled()
  }
  return { matchyard, storage: real, clock, asked, makeLobby, change, resync }
}

describe('a resume from far back', () => {
  it('reads the log in pages, each when the reader has taken the one before', async () => {
    const { matchyard, asked, makeLobby, change } = await watched()
    const on = await makeLobby()
    for (let n = 0; n < 60; n++) await change(on, 'x'.repeat(16_000))
    asked.length = 0
    const stream = await matchyard.lobbies.watch({ ...on, lastEventId: '1' })
    expect(asked).toEqual(['read after 61', 'heads of 1'])
    const first = await stream.next()
    expect([first?.id, asked.length]).toEqual([2, 3])
    // About sixteen events of 16 kB make a page.
    for (let id = 3; id <= 15; id++) expect((await stream.next())?.id).toBe(id)
    expect(asked.length).toBe(3)
    for (let id = 16; id <= 61; id++) expect((await stream.next())?.id).toBe(id)
    expect(asked.length).toBeLessThanOrEqual(7)
    await change(on)
    expect((await stream.next())?.id).toBe(62)
  })

  it('shares what it reads with the next one', async () => {
    const { matchyard, asked, makeLobby, change } = await watched()
    const on = await makeLobby()
    for (let n = 0; n < 20; n++) await change(on)
    const [one, two] = [
      await matchyard.lobbies.watch({ ...on, lastEventId: '1' }),
      await matchyard.lobbies.watch({ ...on, lastEventId: '1' }),
    ]
    const first = await one.next()
    asked.length = 0
    expect((await two.next())?.source).toBe(first?.source)
    expect(asked).toEqual([])
  })

  it('of a deleted lobby reads its end, and then a page at a time too', async () => {
    const { matchyard, asked, makeLobby, change } = await watched()
    const on = await makeLobby()
    for (let n = 0; n < 60; n++) await change(on, 'x'.repeat(16_000))
    await matchyard.lobbies.delete(on)
    asked.length = 0
    const stream = await matchyard.lobbies.watch({ ...on, lastEventId: '40' })
    expect(asked).toEqual(['read after 60'])
    for (let id = 41; id <= 61; id++) expect((await stream.next())?.event).toBe('lobby_updated')
    expect(await stream.next()).toMatchObject({ event: 'lobby_deleted', id: 62 })
    expect(await stream.next()).toBeUndefined()
    expect(matchyard.openStreams()).toBe(0)
  })
})

describe('a look at everything', () => {
  it('asks for all heads in parts of a thousand, and reads only the logs that moved', async () => {
    let isDeaf = false
    const deaf = (real: Storage): Partial<Storage> => ({
      subscribe: (listener) => real.subscribe((signal) => !isDeaf && listener(signal)),
    })
    const { matchyard, asked, makeLobby, change, resync } = await watched(deaf)
    const lobbies = await Promise.all(Array.from({ length: 1_001 }, (_, n) => makeLobby(`player ${n}`)))
    const streams = await Promise.all(lobbies.map((on) => matchyard.lobbies.watch(on)))
    for (const stream of streams) await stream.next()
    asked.length = 0
    await resync()
    expect(asked).toEqual(['heads of 1000', 'heads of 1'])
    isDeaf = true
    const [on] = lobbies
    if (on !== undefined) await change(on)
    asked.length = 0
    await resync()
    expect(asked.filter((call) => call.startsWith('read'))).toEqual(['read after 1', 'read after 2'])
    expect((await streams[0]?.next())?.id).toBe(2)
  })

  it('asks once for all keys, and ends the streams of those that are revoked', async () => {
    const { matchyard, storage, asked, makeLobby, resync } = await watched()
    const on = await makeLobby()
    const { projectId } = on
    const accountId = (await storage.get('project', projectId))?.accountId ?? ''
    const minted = await Promise.all([1, 2, 3].map(() => matchyard.keys.mint({ accountId, projectId, type: 'client' })))
    const open = minted.flatMap(({ key }) => [1, 2].map(() => ({ ...on, keyId: key.id })))
    const streams = await Promise.all(open.map((input) => matchyard.lobbies.watch(input)))
    asked.length = 0
    await resync()
    expect(asked).toEqual(['getMany of 3', 'heads of 1'])
    expect(streams.map(({ isEnded }) => isEnded)).toEqual(streams.map(() => false))
    const gone = await storage.get('api-key', minted[1]?.key.id ?? '')
    if (gone !== undefined) {
      const write = { kind: 'api-key', id: gone.id, expected: gone.version, remove: true } as const
      const rest = { checks: [], counters: [], events: [], jobs: [] }
      await storage.commit({ id: 'by hand', at: 1, writes: [write], ...rest })
    }
    await resync()
    expect(streams.map(({ isEnded }) => isEnded)).toEqual([false, false, true, true, false, false])
  })

  it('of an account that is disabled end at once, those of others go on, and waits of its keys end too', async () => {
    const { matchyard, storage, makeLobby, change, resync } = await watched()
    const on = await makeLobby()
    const { projectId } = on
    const accountId = (await storage.get('project', projectId))?.accountId ?? ''
    const { key } = await matchyard.keys.mint({ accountId, projectId, type: 'client' })
    const stream = await matchyard.lobbies.watch({ ...on, keyId: key.id })
    const { version } = await matchyard.lobbies.get(on)
    const wait = matchyard.lobbies.poll({ ...on, keyId: key.id, afterVersion: version, waitSeconds: 25 })
    await settled()
    const own = await matchyard.lobbies.watch(on)
    // Disabling the account of another customer ends no stream here.
    const stranger = await matchyard.accounts.create({ email: 'eve@example.com', password: 'long enough', name: 'Eve' })
    await matchyard.accounts.disable({ accountId: stranger.id })
    await settled()
    expect(stream.isEnded).toBe(false)
    await matchyard.accounts.disable({ accountId })
    await settled()
    expect([stream.isEnded, own.isEnded]).toEqual([true, false])
    expect(await wait).toBeUndefined()
    await change(on)
    // When the signal was lost, the check of all keys ends the stream.
    const late = await matchyard.lobbies.watch({ ...on, keyId: key.id })
    await resync()
    expect(late.isEnded).toBe(true)
  })

  it('drops the readers of a log that has less than they were told', async () => {
    let lost = 0
    const less = (real: Storage): Partial<Storage> => ({
      events: {
        ...real.events,
        heads: async (lobbyIds) =>
          (await real.events.heads(lobbyIds)).map((head) => ({ ...head, version: head.version - lost })),
      },
    })
    const { matchyard, makeLobby, change, resync } = await watched(less)
    const on = await makeLobby()
    await change(on)
    const stream = await matchyard.lobbies.watch(on)
    await resync()
    expect(stream.isEnded).toBe(false)
    lost = 1
    await resync()
    expect([stream.isEnded, stream.dropped]).toEqual([true, true])
  })

  it('that fails is made again, though nothing asks for it any more', async () => {
    let isAway = false
    const away = (real: Storage): Partial<Storage> => ({
      events: {
        ...real.events,
        heads: (lobbyIds) => (isAway ? Promise.reject(new Error('no connection')) : real.events.heads(lobbyIds)),
      },
      subscribe: () => () => {},
    })
    const { matchyard, clock, makeLobby, change, resync } = await watched(away)
    const on = await makeLobby()
    const stream = await matchyard.lobbies.watch(on)
    expect((await stream.next())?.id).toBe(1)
    await change(on)
    isAway = true
    await resync()
    isAway = false
    clock.advance(1_000)
    await settled()
    expect((await stream.next())?.id).toBe(2)
  })
})

describe('a crowd that opens streams of a lobby', () => {
  it('is shown one and the same object, until the lobby changes', async () => {
    const { matchyard, makeLobby, change } = await watched()
    const on = await makeLobby()
    const shown = async () => (await (await matchyard.lobbies.watch(on)).next())?.source
    const [one, two] = [await shown(), await shown()]
    expect(two).toBe(one)
    await change(on)
    expect(await shown()).not.toBe(one)
  })
})

describe('logs', () => {
  it('are pruned once a minute', async () => {
    let prunes = 0
    const counted = (real: Storage): Partial<Storage> => ({
      events: {
        ...real.events,
        prune: (now) => {
          prunes++
          return real.events.prune(now)
        },
      },
    })
    const { matchyard, clock } = await watched(counted)
    for (let second = 0; second <= 180; second++) {
      await matchyard.worker.runDueJobs()
      clock.advance(1_000)
    }
    expect(prunes).toBe(4)
  })
})

describe('streams of a node', () => {
  it('are no more than it may have, of one key and in all', async () => {
    const { matchyard, makeLobby } = await watched(undefined, { open: 6, openPerKey: 2 })
    const on = await makeLobby()
    const watch = (keyId: string) => matchyard.lobbies.watch({ ...on, keyId })
    const [first] = [await watch('a'), await watch('a')]
    await expect(watch('a')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await watch('b')
    await expect(watch('c')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    first?.close()
    await watch('c')
    expect(matchyard.openStreams()).toBe(3)
  })

  it('drop a reader whom 256 events, or four megabytes, have passed while it had no room', async () => {
    const { matchyard, makeLobby, change } = await watched()
    const on = await makeLobby()
    const [stalled, slow] = [await matchyard.lobbies.watch(on), await matchyard.lobbies.watch(on)]
    for (const stream of [stalled, slow]) stream.waits({}, 1_000, 0)
    for (let n = 0; n < 256; n++) await change(on)
    await settled()
    slow.goesOn()
    slow.waits({}, 1_000, 0)
    expect(stalled.isEnded).toBe(false)
    await change(on)
    await settled()
    expect([stalled.dropped, slow.dropped]).toEqual([true, false])
  })

  it('drop the reader that has stalled longest once more bytes wait than may', async () => {
    const { matchyard, makeLobby } = await watched(undefined, { waitingBytes: 10_000, waitingBytesPerKey: 5_000 })
    const on = await makeLobby()
    const watch = (keyId: string) => matchyard.lobbies.watch({ ...on, keyId })
    const [a1, a2, b1, b2, c] = [
      await watch('a'),
      await watch('a'),
      await watch('b'),
      await watch('b'),
      await watch('c'),
    ]
    a1.waits({}, 3_000, 0)
    b1.waits({}, 2_000, 0)
    a2.waits({}, 3_000, 0)
    // The key of `a1` exceeds its bound.
    expect([a1.dropped, b1.dropped, a2.dropped]).toEqual([true, false, false])
    b2.waits({}, 2_500, 0)
    c.waits({}, 4_000, 0)
    // The node exceeds its bound, and `b1` has waited longest of its key.
    expect([b1.dropped, a2.dropped, b2.dropped, c.dropped]).toEqual([true, false, false, false])
  })
})

describe('bytes that wait', () => {
  const waiter = (keyId: string, waiting: () => WaitingBytes) => {
    const self = { keyId, drop: () => waiting().remove(self) }
    return self
  }

  it('count once for all who wait for the same', () => {
    const waiting = new WaitingBytes({ waitingBytes: 1_000, waitingBytesPerKey: 1_000 })
    const readers = Array.from({ length: 500 }, () => waiter('a', () => waiting))
    const chunk = {}
    for (const reader of readers) waiting.add(reader, chunk, 900, 0)
    expect(waiting.bytes).toBe(900)
    for (const reader of readers) waiting.remove(reader)
    expect(waiting.bytes).toBe(0)
  })

  it('past the bound of the node cost the key for which most wait, however long others have waited', () => {
    const waiting = new WaitingBytes({ waitingBytes: 1_000, waitingBytesPerKey: 800 })
    const dropped: string[] = []
    const reader = (keyId: string | undefined, name: string) => {
      const self = {
        keyId,
        drop: () => {
          dropped.push(name)
          waiting.remove(self)
        },
      }
      return self
    }
    waiting.add(reader(undefined, 'the embedder'), {}, 100, 0)
    waiting.add(reader('patient', 'the patient'), {}, 200, 0)
    for (let n = 0; n < 7; n++) waiting.add(reader('crowd', `crowd ${n}`), {}, 150, 0)
    expect([dropped, waiting.bytes]).toEqual([['crowd 0', 'crowd 1', 'crowd 2'].slice(0, dropped.length), 900])
    expect(dropped).toHaveLength(3)
  })
})

describe('pages that were read last', () => {
  it('are bounded in bytes, and the oldest go first', () => {
    const pages = new RecentPages<{ bytes: number }>(10_000)
    const event = (lobbyId: string, version: number) =>
      ({ lobbyId, version, name: 'lobby_updated', at: 1, lobby: {}, bytes: 3_000 }) as never
    for (const lobbyId of ['a', 'b', 'c']) pages.add(lobbyId, 7, [event(lobbyId, 7)])
    expect(['a', 'b', 'c'].map((lobbyId) => pages.find(lobbyId, 7) !== undefined)).toEqual([false, true, true])
    pages.forget('b')
    expect([pages.find('b', 7), pages.find('c', 8)]).toEqual([undefined, undefined])
  })
})
