import assert from 'node:assert/strict'
import type { Lobby } from '@matchyard/core'
import { HOUR_MS } from '@matchyard/core/domain'
import { STREAM_RETENTION, type Storage } from '@matchyard/core/ports'
import { apply, event, next, put, remove, store } from './changes'
import { area } from './harness'
import { aLobby } from './samples'

const it = area('logs')
const NOW = 100 * HOUR_MS
/** Time of the oldest events that the log of a lobby's stream keeps. */
const SINCE = NOW - STREAM_RETENTION.ms

/** Returns a lobby with a JSON text of about `bytes` bytes. */
const sized = (bytes: number) => aLobby({ settings: { text: 'x'.repeat(bytes) } })
const sizeOf = (lobby: Lobby) => JSON.stringify(lobby).length

/** Writes the log of a lobby's stream: one event for each version, each in its own commit at the time `at(version)`. */
async function grow(storage: Storage, of: Lobby, count: number, at: (version: number) => number): Promise<Lobby> {
  let lobby = of
  await store(storage, 'lobby', lobby)
  // The commits run one after another, because each commit needs the version before it.
  for (let version = 1; version <= count; version++) {
    lobby = { ...lobby, version }
    await apply(storage, { at: at(version), events: [event(lobby, at(version))] })
  }
  return lobby
}

const versionsOf = async (storage: Storage, lobbyId: string, ...query: [after: number, limit: number, bytes: number]) =>
  (await storage.events.read(lobbyId, ...query)).map(({ version }) => version)

const span = async (storage: Storage, lobbyId: string) => {
  const range = await storage.events.range(lobbyId)
  assert.ok(range)
  return { ...range, count: range.newest - range.oldest + 1 }
}

/** Returns the number of events, all of the same size, that fit into a log of a given number of bytes. */
const fitting = (bytes: number, lobby: Lobby) => Math.floor(bytes / sizeOf(lobby))

export const logCases = [
  it('are read up to the bytes that are asked for, and one event always', async ({ storage }) => {
    const lobby = await grow(storage, sized(2_000), 9, () => NOW)
    const each = sizeOf(lobby)
    assert.deepEqual(await versionsOf(storage, lobby.id, 0, 100, 3 * each), [1, 2, 3])
    assert.deepEqual(await versionsOf(storage, lobby.id, 3, 100, 3 * each + each - 1), [4, 5, 6])
    assert.deepEqual(await versionsOf(storage, lobby.id, 3, 2, 3 * each), [4, 5])
    assert.deepEqual(await versionsOf(storage, lobby.id, 8, 100, 1), [9])
    assert.deepEqual(await versionsOf(storage, lobby.id, 4, 100, 0), [5])
    assert.deepEqual(await versionsOf(storage, lobby.id, 9, 100, 0), [])
    assert.deepEqual(
      (await storage.events.read(lobby.id, 7, 100, 2 * each)).map(({ bytes }) => bytes),
      [each, each],
    )
  }),

  it('are read by bytes also where their events differ in size, and after their oldest are forgotten', async (subject) => {
    const { storage } = subject
    let lobby = aLobby()
    await store(storage, 'lobby', lobby)
    const sizes: number[] = []
    for (const bytes of [10, 5_000, 20, 30, 9_000, 40]) {
      lobby = { ...lobby, version: sizes.length + 1, settings: { text: 'é'.repeat(bytes) } }
      const at = sizes.length < 2 ? SINCE - 1 : NOW
      await apply(storage, { at, events: [event(lobby, at)] })
      sizes.push(Buffer.byteLength(JSON.stringify(lobby)))
    }
    await storage.events.prune(NOW)
    const [, , three = 0, four = 0, five = 0] = sizes
    assert.deepEqual(await versionsOf(storage, lobby.id, 0, 100, three + four + five), [3, 4, 5])
    assert.deepEqual(await versionsOf(storage, lobby.id, 0, 100, three + four + five - 1), [3, 4])
    assert.deepEqual(
      (await storage.events.read(lobby.id, 0, 100, 1_000_000)).map(({ bytes }) => bytes),
      sizes.slice(2),
    )
  }),

  it('tell their heads all at once, and leave out what has no log', async ({ storage }) => {
    const lobbies = [await grow(storage, aLobby(), 3, () => NOW), await grow(storage, aLobby(), 1, () => NOW)]
    const gone = await grow(storage, aLobby(), 2, () => NOW)
    const end = event(next(gone), NOW, 'lobby_deleted')
    await apply(storage, { at: NOW, writes: [remove('lobby', { id: gone.id, version: 1 })], events: [end] })
    const ids = [...lobbies, gone].map(({ id }) => id)
    const heads = await storage.events.heads(['lob_none', ...ids])
    assert.deepEqual(
      new Map(heads.map(({ lobbyId, version }) => [lobbyId, version])),
      new Map([3, 1, 3].map((version, index) => [ids[index] ?? '', version])),
    )
    assert.equal(heads.length, 3)
    assert.deepEqual(await storage.events.heads([]), [])
  }),

  it('tell a thousand heads at once', async ({ storage }) => {
    const lobbies = Array.from({ length: 1_000 }, () => aLobby())
    await Promise.all(lobbies.map((lobby) => apply(storage, { writes: [put('lobby', lobby)], events: [event(lobby)] })))
    const heads = await storage.events.heads(lobbies.map(({ id }) => id))
    assert.deepEqual(new Set(heads.map(({ lobbyId }) => lobbyId)), new Set(lobbies.map(({ id }) => id)))
  }),

  it('keep the newest thousand events at the most, however young and small', async ({ storage }) => {
    const lobby = await grow(storage, aLobby(), STREAM_RETENTION.events + 40, () => NOW)
    await storage.events.prune(NOW)
    assert.deepEqual(await span(storage, lobby.id), { oldest: 41, newest: 1_040, count: 1_000 })
  }),

  it('keep the events of the last hour at the most, however few and small', async ({ storage }) => {
    const lobby = await grow(storage, aLobby(), 30, (version) => (version <= 20 ? SINCE - 1 : SINCE))
    await storage.events.prune(NOW)
    assert.deepEqual(await span(storage, lobby.id), { oldest: 21, newest: 30, count: 10 })
  }),

  it('keep the last four megabytes at the most, however few and young', async ({ storage }) => {
    const lobby = await grow(storage, sized(50_000), 100, () => NOW)
    await storage.events.prune(NOW)
    const { newest, count } = await span(storage, lobby.id)
    assert.deepEqual([newest, count], [100, fitting(STREAM_RETENTION.bytes, lobby)])
  }),

  it('keep their newest event, however old and large', async ({ storage }) => {
    const old = await grow(storage, aLobby(), 5, () => 1)
    const large = await grow(storage, sized(STREAM_RETENTION.bytes), 3, () => NOW)
    await storage.events.prune(NOW)
    assert.deepEqual(await span(storage, old.id), { oldest: 5, newest: 5, count: 1 })
    assert.deepEqual(await span(storage, large.id), { oldest: 3, newest: 3, count: 1 })
    assert.deepEqual(await versionsOf(storage, old.id, 0, 10, 1_000_000), [5])
  }),

  it('that are short and young stay whole', async ({ storage }) => {
    const lobby = await grow(storage, sized(100), 20, () => SINCE)
    await storage.events.prune(NOW)
    assert.deepEqual(await span(storage, lobby.id), { oldest: 1, newest: 20, count: 20 })
  }),

  it('are cut by the commits that make them long, before anybody prunes', async ({ storage }) => {
    const many = await grow(storage, aLobby(), 1_300, () => NOW)
    assert.ok((await span(storage, many.id)).count <= STREAM_RETENTION.events * (9 / 8))
    const large = await grow(storage, sized(200_000), 60, () => NOW)
    const { newest, count } = await span(storage, large.id)
    assert.equal(newest, 60)
    assert.ok(count <= fitting(STREAM_RETENTION.bytes * (9 / 8), large) + 1, `${count} events are kept`)
    assert.ok(count >= fitting(STREAM_RETENTION.bytes, large), `${count} events are kept`)
  }),

  it('of lobbies deleted over an hour ago go whole, those of lobbies deleted later do not', async ({ storage }) => {
    const [old, recent] = [aLobby(), aLobby()]
    for (const [lobby, at] of [
      [old, SINCE - 1],
      [recent, SINCE],
    ] as const) {
      await apply(storage, { at, writes: [put('lobby', lobby)], events: [event(lobby, at)] })
      const end = event({ ...lobby, version: 2 }, at, 'lobby_deleted')
      await apply(storage, { at, writes: [remove('lobby', lobby)], events: [end] })
    }
    await storage.events.prune(NOW)
    assert.equal(await storage.events.range(old.id), undefined)
    assert.deepEqual(await versionsOf(storage, old.id, 0, 10, 1_000_000), [])
    assert.deepEqual(await storage.events.heads([old.id]), [])
    assert.deepEqual(await storage.events.range(recent.id), { oldest: 1, newest: 2 })
  }),

  it('are pruned by the thousand, each to its own', async ({ storage }) => {
    const lobbies = Array.from({ length: 700 }, () => aLobby())
    for (const [step, at] of [SINCE - 2, SINCE - 1, NOW].entries()) {
      await Promise.all(
        lobbies.map((lobby) => {
          const form = { ...lobby, version: step + 1 }
          return apply(storage, { at, writes: [put('lobby', form)], events: [event(form, at)] })
        }),
      )
    }
    await storage.events.prune(NOW)
    const ranges = await Promise.all(lobbies.map(({ id }) => storage.events.range(id)))
    assert.deepEqual(
      ranges,
      lobbies.map(() => ({ oldest: 3, newest: 3 })),
    )
  }),
]
