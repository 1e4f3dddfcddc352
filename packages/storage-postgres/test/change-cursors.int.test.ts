import { expect, onTestFinished, test } from 'vitest'
import { History } from '../src/connections/history'
import { postgresStorage } from '../src/index'
import { startServer, type TestServer } from '../src/testing/server'

const PROJECT = 'prj_a'
const BOUNDS = { limit: 10, maxBytes: 100_000 }

async function aServer(settings?: readonly string[]): Promise<TestServer> {
  const server = await startServer(settings)
  onTestFinished(() => server.stop())
  return server
}

/** Opens a storage handle on a server, as another process would. */
async function nodeOf(server: TestServer) {
  const storage = postgresStorage({ url: server.url, poolSize: 2, connectTimeoutMs: 2_000 })
  await storage.migrate()
  let isClosed = false
  const close = async () => {
    if (!isClosed) await storage.close()
    isClosed = true
  }
  onTestFinished(close)
  const since = (cursor: string) => storage.changes.since(PROJECT, cursor, BOUNDS)
  return { close, since, now: () => storage.changes.now() }
}

test('a cursor of changes holds on another node, also when its own is gone, and where that has started again', async () => {
  const server = await aServer()
  const [one, other] = [await nodeOf(server), await nodeOf(server)]
  const cursor = await one.now()
  const read = await other.since(cursor)
  expect(read).toMatchObject({ changes: [], startedOver: false })
  expect((await one.since(read.cursor)).startedOver).toBe(false)
  await one.close()
  expect((await other.since(cursor)).startedOver).toBe(false)
  const again = await nodeOf(server)
  expect((await again.since(cursor)).startedOver).toBe(false)
})

test('a server that was restarted vouches for no cursor from before, on no node', async () => {
  const server = await aServer()
  const [one, other] = [await nodeOf(server), await nodeOf(server)]
  const cursor = await one.now()
  await server.restart()
  const late = await nodeOf(server)
  for (const { since } of [one, other, late]) expect((await since(cursor)).startedOver).toBe(true)
})

test('where a crash may take back what was seen, a cursor holds for who gave it out alone', async () => {
  const server = await aServer(['synchronous_commit=off'])
  const [one, other] = [await nodeOf(server), await nodeOf(server)]
  const cursor = await one.now()
  expect((await other.since(cursor)).startedOver).toBe(true)
  expect((await one.since(cursor)).startedOver).toBe(false)
})

/** Returns a connection that answers only the query of `History.learn`. */
const leadingTo = (server: string, newest: number) =>
  ({ query: async () => ({ rows: [{ server, newest: String(newest), kept: 't' }], rowCount: 1 }) }) as never

test('what a process gave up itself it does not take back, and from who went back nobody goes on', async () => {
  const [history, other] = [new History(), new History()]
  const here = leadingTo('a', 100)
  for (const one of [history, other]) await one.learn(here)
  const own = history.nameOn(here)
  expect([history.holdsOn(here, own), other.holdsOn(here, own)]).toEqual([true, true])
  history.doubt()
  expect([history.holdsOn(here, own), history.holdsOn(here, other.nameOn(here))]).toEqual([false, true])
  await history.learn(leadingTo('a', 50))
  expect(history.holdsOn(here, other.nameOn(here))).toBe(false)
  expect(history.holdsOn(here, history.nameOn(here))).toBe(true)
  expect(history.holdsOn(here, 'b none')).toBe(false)
})
