import { createMatchyard, type StreamLimits } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { Places } from '../../src/streams/places'

const FULL = { code: 'UNAVAILABLE' }

/** Returns lobbies of two projects, and a list of the reads of lobbies. */
async function given(streams: Partial<StreamLimits> = {}) {
  const real = memoryStorage()
  const reads: string[] = []
  const storage: Storage = {
    ...real,
    get: (kind, id) => {
      if (kind === 'lobby') reads.push(id)
      return real.get(kind, id)
    },
  }
  const matchyard = createMatchyard({ ...fakePlatform({ clock: new FakeClock(), seed: 1 }), streams, storage })
  await matchyard.open()
  const lobbyOf = async (name: string, playerId = 'ann') => {
    const { id: projectId } = await matchyard.projects.ensure({ name })
    const queues = await matchyard.queues.list({ projectId, limit: 1, offset: 0 })
    if (queues.total === 0) await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId })
    return { projectId, lobbyId, playerId, backend: false }
  }
  /** Opens streams of new players in lobbies of their own. Returns how many were opened before one was refused. */
  const openAll = async (name: string, atMost: number, more: object = {}) => {
    for (let n = 0; n < atMost; n++) {
      const on = await lobbyOf(name, `player ${n}`)
      const stream = await matchyard.lobbies.watch({ ...on, ...more }).catch(() => undefined)
      if (stream === undefined) return n
    }
    return atMost
  }
  return { matchyard, reads, lobbyOf, openAll }
}

describe('the streams of one player in a lobby', () => {
  it('are eight: the next ends the oldest, so that who comes back is never locked out', async () => {
    const { matchyard, lobbyOf } = await given()
    const on = await lobbyOf('arena')
    const streams = []
    for (let n = 0; n < 12; n++) streams.push(await matchyard.lobbies.watch(on))
    expect(streams.map(({ isEnded }) => isEnded)).toEqual([...Array(4).fill(true), ...Array(8).fill(false)])
    expect(matchyard.openStreams()).toBe(8)
  })

  it('that are being opened are eight too, and one that comes to nothing ends no other', async () => {
    const { matchyard, lobbyOf } = await given()
    const on = await lobbyOf('arena')
    const open = []
    for (let n = 0; n < 8; n++) open.push(await matchyard.lobbies.watch(on))
    const fail: (() => void)[] = []
    const turn = () => new Promise<void>((_, reject) => fail.push(() => reject(new Error('gone'))))
    const opening = Array.from({ length: 8 }, () => matchyard.lobbies.watch({ ...on, turn }))
    await expect(matchyard.lobbies.watch(on)).rejects.toMatchObject(FULL)
    for (const one of fail) one()
    expect((await Promise.allSettled(opening)).map(({ status }) => status)).toEqual(Array(8).fill('rejected'))
    expect(open.some(({ isEnded }) => isEnded)).toBe(false)
    expect(matchyard.openStreams()).toBe(8)
  })

  it('with a server key are none of these: a backend watches whom it wants', async () => {
    const { matchyard, lobbyOf } = await given()
    const on = { ...(await lobbyOf('arena')), backend: true }
    for (let n = 0; n < 20; n++) await matchyard.lobbies.watch(on)
    expect(matchyard.openStreams()).toBe(20)
  })
})

describe('a stream that finds no place', () => {
  it('is refused before anything is read for it', async () => {
    const { matchyard, lobbyOf, reads } = await given({ open: 0 })
    const on = await lobbyOf('arena')
    reads.length = 0
    await expect(matchyard.lobbies.watch(on)).rejects.toMatchObject(FULL)
    expect(reads).toEqual([])
  })

  it('holds its place while it waits for its turn, and gives it back where nothing comes of it', async () => {
    const { matchyard, lobbyOf } = await given()
    const on = await lobbyOf('arena')
    let begin = () => {}
    const turn = () => new Promise<void>((resolve) => (begin = resolve))
    const opening = matchyard.lobbies.watch({ ...on, playerId: 'stranger', turn })
    expect(matchyard.openStreams()).toBe(1)
    begin()
    await expect(opening).rejects.toMatchObject({ code: 'PLAYER_NOT_IN_LOBBY' })
    expect(matchyard.openStreams()).toBe(0)
  })
})

describe('the places of a node', () => {
  it('are never all of one project: its players take half, and those of another find room', async () => {
    const { openAll } = await given({ open: 40, openPerKey: 1_000 })
    expect(await openAll('greedy', 100)).toBe(20)
    expect(await openAll('other', 10)).toBe(10)
    expect(await openAll('greedy', 1)).toBe(0)
    expect(await openAll('third', 5)).toBe(5)
  })

  it("of a project's backend are no part of what its players take", async () => {
    const { matchyard, lobbyOf, openAll } = await given({ open: 40, openPerKey: 1_000 })
    await openAll('greedy', 100)
    const { projectId } = await lobbyOf('greedy', 'one more')
    const feeds = []
    for (let n = 0; n < 12; n++) feeds.push(await matchyard.feed(projectId, { keyId: 'server' }).catch(() => undefined))
    expect(feeds.filter((feed) => feed !== undefined)).toHaveLength(10)
    expect(await openAll('other', 10)).toBe(5)
  })

  it('are never all taken by a project that waits, watches and reads its feed, with as many keys as it likes', async () => {
    const { matchyard, lobbyOf, openAll } = await given({ open: 40, openPerKey: 1_000 })
    const on = { ...(await lobbyOf('greedy')), backend: true }
    for (let n = 0; n < 100; n++) {
      const keyId = `key ${n}`
      void matchyard.lobbies.poll({ ...on, keyId, afterVersion: 1, waitSeconds: 25 }).catch(() => undefined)
      await matchyard.lobbies.watch({ ...on, keyId, playerId: `invented ${n}` }).catch(() => undefined)
      await matchyard.feed(on.projectId, { keyId }).catch(() => undefined)
    }
    expect(matchyard.openStreams()).toBe(20)
    expect(await openAll('other', 10)).toBe(10)
    await matchyard.stop()
  })
})

it('never are all of one account, however many projects it has', async () => {
  const { openAll } = await given({ open: 64, openPerKey: 1_000 })
  let taken = 0
  for (let n = 0; n < 8; n++) taken += await openAll(`greedy ${n}`, 100, { accountId: 'greedy' })
  expect(taken).toBe(48)
  expect(await openAll('other', 100, { accountId: 'other' })).toBe(8)
  expect(await openAll('third', 3, { accountId: 'third' })).toBe(3)
})

describe('the places of a key', () => {
  it('are never all of one address', async () => {
    const { openAll } = await given({ openPerKey: 20 })
    expect(await openAll('arena', 30, { keyId: 'key', address: '198.51.100.7' })).toBe(10)
    expect(await openAll('arena', 5, { keyId: 'key', address: '198.51.100.8' })).toBe(5)
    expect(await openAll('arena', 30, { keyId: 'key' })).toBe(5)
  })

  it('end with it, also those that are being opened', () => {
    const places = new Places({ open: 10, openPerKey: 10 })
    const holder = { projectId: 'p', keyId: 'k', isBackend: true }
    const closed: string[] = []
    const streamOf = (name: string) => ({ close: () => closed.push(name), onEnd: () => {} })
    const [open, opening] = [places.take(holder), places.take(holder)]
    open.fill(streamOf('open'))
    places.endOf('k')
    opening.fill(streamOf('opening'))
    expect(closed).toEqual(['open', 'opening'])
  })

  it('are counted once however often they are given back', () => {
    const places = new Places({ open: 10, openPerKey: 10 })
    const place = places.take({ projectId: 'p', keyId: 'k', isBackend: true })
    place.release()
    place.release()
    expect([places.taken, places.keyIds]).toEqual([0, []])
  })
})
