import type { Signal, Storage } from '@matchyard/core/ports'
import { expect, inject, test } from 'vitest'
import { Connections } from '../src/connections/connections'
import { poolOf } from '../src/connections/pool-of'
import { withDefaults } from '../src/options'
import { decodeSignals, encodeSignals, MAX_MESSAGE_BYTES } from '../src/signals/messages'
import { Signals } from '../src/signals/signals'
import { aLobby, putLobby } from './support/changes'
import { type HeldNetwork, holdAfter } from './support/held-network'
import { aStore, cut } from './support/store'

const url = inject('databaseUrl')

/** Resolves with the next signal for which `is` returns true. */
const next = (storage: Storage, is: (signal: Signal) => boolean) =>
  new Promise<Signal>((resolve) => {
    const end = storage.subscribe((signal) => {
      if (!is(signal)) return
      end()
      resolve(signal)
    })
  })

test('messages hold no more than PostgreSQL takes, and every signal', () => {
  const signals = Array.from({ length: 2_000 }, (_, n): Signal => ({ topic: 'lobby', id: `lob_${n}_"ü\0🔑` }))
  const messages = encodeSignals('node', signals)
  for (const message of messages) expect(Buffer.byteLength(message)).toBeLessThanOrEqual(MAX_MESSAGE_BYTES)
  expect(messages.flatMap((message) => decodeSignals(message).signals)).toEqual(signals)
  expect(messages.length).toBeLessThan(20)
})

test('an id too long for any message makes the others read everything', () => {
  const messages = encodeSignals('node', [{ topic: 'queue', id: 'x'.repeat(9_000) }])
  expect(messages.map(decodeSignals)).toEqual([{ sender: 'node', signals: [{ topic: 'resync', id: '' }] }])
  expect(decodeSignals('what?').signals).toEqual([{ topic: 'resync', id: '' }])
})

test('a crowd of commits is told of in few notifications, each signal once', async () => {
  const store = aStore(url)
  const [here, there] = [await store.migrated(), await store.migrated()]
  const lobbies = Array.from({ length: 300 }, () => aLobby())
  const heard: string[] = []
  const all = new Promise<void>((resolve) => {
    there.subscribe(({ topic, id }) => {
      if (topic === 'lobby' && heard.push(id) === lobbies.length) resolve()
    })
  })
  await Promise.all(lobbies.map((lobby) => here.commit(putLobby(lobby))))
  await all
  expect(heard.sort()).toEqual(lobbies.map(({ id }) => id).sort())
})

test('when notifications are lost, whoever listens is asked to read again within a second or so', async () => {
  const store = aStore(url)
  const [here, there] = [await store.migrated(), await store.migrated()]
  const lobby = aLobby()
  // The insert below sends no notification, so the listener can learn of it only by the poll.
  const resync = next(there, ({ topic }) => topic === 'resync')
  await store.door.query(
    `insert into stream_event (lobby_id, version, name, at, bytes, total, body) values ($1, 1, 'lobby_updated', 1, 2, 2, '{}')`,
    [lobby.id],
  )
  await resync
  expect(await there.events.range(lobby.id)).toEqual({ oldest: 1, newest: 1 })
  await here.ping()
})

test('a cut listener connects again, says that signals may be lost, and hears the next ones', async () => {
  const store = aStore(url)
  const [here, there] = [await store.migrated(), await store.migrated()]
  const end = there.subscribe(() => {})
  expect(
    await cut(store.door, `query like 'listen%' or query like '%pg_notify%' or query like 'set synchronous%'`),
  ).toBeGreaterThan(0)
  await next(there, ({ topic }) => topic === 'resync')
  // Lost signals are recovered by the poll. This test is only about the connection, so it writes until a signal
  // arrives.
  const lobby = aLobby()
  const heard = next(there, ({ topic, id }) => topic === 'lobby' && id === lobby.id)
  let isHeard = false
  void heard.then(() => {
    isHeard = true
  })
  for (let version = 1; !isHeard; version++) await here.commit(putLobby({ ...lobby, version }))
  await heard
  end()
})

test('signals of one schema are not heard in another', async () => {
  const [one, other] = [aStore(url), aStore(url)]
  const [here, there] = [await one.migrated(), await other.migrated()]
  const heard: Signal[] = []
  there.subscribe((signal) => heard.push(signal))
  const lobby = aLobby()
  await here.commit(putLobby(lobby))
  // The poll's `resync` arrives after every signal that the first commit could have sent.
  await next(there, ({ topic }) => topic === 'resync')
  expect(heard.filter(({ topic }) => topic === 'lobby')).toEqual([])
})

test('a handle that is closed while it connects for its signals is closed when it has connected', async () => {
  const store = aStore(url)
  await store.migrated()
  const handle = store.handle()
  handle.subscribe(() => {})
  await expect(handle.close()).resolves.toBeUndefined()
})

/**
 * Ways in which a connection can end that is being opened while its handle is closed. The last way is the cut at the
 * end of `close`.
 */
const ENDS: Readonly<Record<string, (network: HeldNetwork, connections: Connections) => void>> = {
  'opens after all': (network) => network.letThrough(),
  'is lost': (network) => network.cut(),
  'stays silent until it is cut': (_network, connections) => connections.cut(),
}

test.each(Object.entries(ENDS))(
  'closing at any point of connecting for signals comes to an end when the connection %s',
  async (_name, end) => {
    const store = aStore(url)
    await store.migrated()
    let points = 0
    for (let isConnected = false; !isConnected; points++) {
      const network = await holdAfter(points, url)
      const settings = withDefaults({ url: network.url, schema: store.schema })
      const connections = new Connections(settings)
      const signals = new Signals(settings, connections, poolOf(settings, connections))
      const opened = signals.open().then(() => true)
      isConnected = await Promise.race([network.held.then(() => false), opened])
      const closed = signals.close()
      end(network, connections)
      await expect(closed, `after ${points} messages`).resolves.toBeUndefined()
      await network.stop()
    }
    // The server's greeting alone has more than a dozen messages.
    expect(points).toBeGreaterThan(20)
  },
)
