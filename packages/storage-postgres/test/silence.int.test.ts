import { type Commit, OutcomeUnknown, type Signal, StorageUnavailable } from '@matchyard/core/ports'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { waitUntilBlockedBy } from '../src/testing/harness'
import { startProxy } from '../src/testing/proxy'
import { aLobby, putLobby } from './support/changes'
import { aStore } from './support/store'

const url = inject('databaseUrl')
/** Short limits, so that a silent connection is closed soon. */
const SHORT = { statementTimeoutMs: 300, answerTimeoutMs: 400, connectTimeoutMs: 400, poolSize: 3 } as const

/** Returns a handle that connects through a network which may fall silent, and a handle with a direct connection. */
async function behindANetwork(options: object = SHORT) {
  const store = aStore(url)
  const network = await startProxy(url)
  onTestFinished(() => network.stop())
  const direct = await store.migrated()
  const far = await store.migrated({ url: network.url, ...options })
  return { store, network, direct, far }
}

test('a read on a connection that fell silent is answered over another one', async () => {
  const { network, direct, far } = await behindANetwork()
  const lobby = aLobby()
  await direct.commit(putLobby(lobby))
  // All connections of the pool are opened, so that all of them fall silent.
  await Promise.all(Array.from({ length: 3 }, () => far.get('lobby', lobby.id)))
  network.fallSilent()
  network.answerAgain()
  expect(await Promise.all(Array.from({ length: 3 }, () => far.get('lobby', lobby.id)))).toEqual(Array(3).fill(lobby))
})

test('a start that meets a silent network is refused as soon as any call is, where there is nothing to migrate', async () => {
  const { network, far } = await behindANetwork()
  await far.ping()
  network.fallSilent()
  await expect(far.migrate()).rejects.toBeInstanceOf(StorageUnavailable)
  network.answerAgain()
  await far.migrate()
})

test('while the network is silent every call is refused, and when it is back every call is served', async () => {
  const { network, far } = await behindANetwork()
  const [lobby, later] = [aLobby(), aLobby()]
  expect(await far.commit(putLobby(lobby))).toEqual({ ok: true })
  network.fallSilent()
  const refused = await Promise.allSettled([
    far.get('lobby', lobby.id),
    far.ping(),
    far.jobs.agenda(['work'], 0),
    far.leases.acquire('director', 'node', 1, 1),
    far.tickets.changedSince('prj_a/ranked', undefined, 10),
    far.commit(putLobby(aLobby())),
  ])
  for (const outcome of refused) {
    expect(outcome.status).toBe('rejected')
    const { reason } = outcome as PromiseRejectedResult
    expect(reason instanceof StorageUnavailable || reason instanceof OutcomeUnknown, String(reason)).toBe(true)
  }
  // By now the server is known to be unreachable, so this call is refused sooner than the first calls.
  await expect(far.commit(putLobby(aLobby()))).rejects.toBeInstanceOf(StorageUnavailable)
  network.answerAgain()
  // An attempt to connect that began during the silence may still be running. Until it ends, calls are refused.
  await vi.waitFor(async () => expect(await far.commit(putLobby(later))).toEqual({ ok: true }))
  expect(await far.get('lobby', lobby.id)).toEqual(lobby)
})

test('a commit whose answer is swallowed is an unknown outcome, applied once', async () => {
  const { store, network, far } = await behindANetwork({ ...SHORT, statementTimeoutMs: 5_000 })
  const commit: Commit = { ...putLobby(aLobby()), id: 'swallowed', counters: [{ id: 'applied', add: 1 }] }
  const holder = await store.door.connect()
  await holder.query('begin')
  await holder.query('insert into commit_log (id, at) values ($1, 0)', [commit.id])
  const unknown = expect(far.commit(commit)).rejects.toBeInstanceOf(OutcomeUnknown)
  await waitUntilBlockedBy(store.door, holder)
  network.fallSilent()
  await unknown
  await holder.query('rollback')
  await holder.end()
  network.answerAgain()
  // The core does the same: it sends a commit again that it does not find. The commit then waits for the first attempt,
  // or finds it.
  expect(await far.commit(commit)).toEqual({ ok: true })
  expect(await far.commits.find(commit.id)).toBe(true)
  expect(await far.counters.read('applied')).toBe(1)
})

test('a listener whose network fell silent connects again, though it waits for nothing', async () => {
  const { network, direct, far } = await behindANetwork()
  const heard: Signal[] = []
  let wake = () => {}
  far.subscribe((signal) => {
    heard.push(signal)
    wake()
  })
  network.fallSilent()
  network.answerAgain()
  const lobby = aLobby()
  for (let version = 1; !heard.some(({ topic, id }) => topic === 'lobby' && id === lobby.id); version++) {
    await direct.commit(putLobby({ ...lobby, version }))
    // The poll also calls the listener, once a second.
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
})

test('closing ends by its own bound in a silent network, and what is under way is refused', async () => {
  const patient = { statementTimeoutMs: 60_000, answerTimeoutMs: 60_000, connectTimeoutMs: 60_000, closeTimeoutMs: 100 }
  const { network, far } = await behindANetwork(patient)
  far.subscribe(() => {})
  network.fallSilent()
  const outcomes = Promise.allSettled([far.get('lobby', 'lob_a'), far.commit(putLobby(aLobby())), far.ping()])
  // The calls must have begun before `close`.
  await new Promise((resolve) => setImmediate(resolve))
  await far.close()
  for (const outcome of await outcomes) {
    const reason = outcome.status === 'rejected' ? outcome.reason : undefined
    expect(reason instanceof StorageUnavailable || reason instanceof OutcomeUnknown, String(reason)).toBe(true)
  }
})

test('a handle that never reached its server closes at once', async () => {
  const { store, network } = await behindANetwork()
  network.fallSilent()
  const late = store.handle({ url: network.url, ...SHORT })
  await expect(late.migrate()).rejects.toBeInstanceOf(StorageUnavailable)
  await late.close()
})
