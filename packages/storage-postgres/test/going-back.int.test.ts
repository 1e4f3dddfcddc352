import { createMatchyard } from '@matchyard/core'
import type { Signal } from '@matchyard/core/ports'
import { FakeClock, fakePlatform } from '@matchyard/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { History } from '../src/connections/history'
import { postgresStorage } from '../src/index'
import { startServer } from '../src/testing/server'

const QUEUE = 'duel'

/** Starts a server for one test; `node` starts nodes on it. */
async function aServerWithNodes() {
  const server = await startServer()
  onTestFinished(() => server.stop())
  const clock = new FakeClock()
  let lives = 0
  const node = async () => {
    const storage = postgresStorage({ url: server.url, poolSize: 3, connectTimeoutMs: 2_000 })
    const matchyard = createMatchyard({ ...fakePlatform({ clock, seed: ++lives }), storage, nodeId: `node_${lives}` })
    await matchyard.open()
    let isClosed = false
    const close = async () => {
      if (!isClosed) await matchyard.stop()
      isClosed = true
    }
    onTestFinished(close)
    return { storage, matchyard, close }
  }
  return { server, node, clock }
}
type Node = Awaited<ReturnType<Awaited<ReturnType<typeof aServerWithNodes>>['node']>>

async function enter({ matchyard }: Node, projectId: string, playerId: string, mmr: number) {
  const { id } = await matchyard.lobbies.create({ projectId, playerId, queueId: QUEUE, state: { mmr } })
  await matchyard.lobbies.enqueue({ projectId, lobbyId: id, playerId })
  return { projectId, lobbyId: id, playerId }
}

test('a database that goes back under living nodes strands nobody who waits', async () => {
  const { server, node } = await aServerWithNodes()
  const before = await node()
  const { id: projectId } = await before.matchyard.projects.ensure({ name: 'duels' })
  const rules = [{ type: 'difference', field: 'mmr', maxDifference: 1 } as const]
  await before.matchyard.queues.create({ projectId, queueId: QUEUE, name: 'Duel', matchmaking: { rules } })
  const kept = await enter(before, projectId, 'kept', 0)
  await before.close()
  await server.keepCopy()

  const [director, other] = [await node(), await node()]
  const tick = async () => (await director.matchyard.matchmaking.runQueue(`${projectId}/${QUEUE}`)).matches
  expect(await tick()).toBe(0)
  for (let n = 1; n <= 5; n++) await enter(other, projectId, `lost_${n}`, 10 * n)
  await other.matchyard.lobbies.updatePlayer({ ...kept, targetPlayerId: 'kept', state: { mmr: 500 } })
  expect(await tick()).toBe(0)
  const signals: Signal['topic'][] = []
  const reset = new Promise<void>((resolve) => {
    director.storage.subscribe(({ topic }) => {
      signals.push(topic)
      if (topic === 'reset') resolve()
    })
  })
  await server.goBack()

  // Another node makes more transactions than were lost, so the transaction numbers do not show the loss.
  for (let n = 1; n <= 20; n++) {
    await other.matchyard.lobbies.create({ projectId, playerId: `idle_${n}`, queueId: QUEUE })
  }
  await enter(other, projectId, 'new', 0)
  expect(await tick()).toBe(1)
  // The lost tickets cannot be matched with any other ticket.
  await enter(other, projectId, 'alone', 10)
  expect(await tick()).toBe(0)
  await reset
})

test('a restart that loses nothing costs one reading, and cursors hold again', async () => {
  const { server, node } = await aServerWithNodes()
  const { storage } = await node()
  const read = async (cursor?: string) => storage.tickets.changedSince('prj_a/ranked', cursor, 10)
  const first = await read()
  expect((await read(first.cursor)).startedOver).toBe(false)
  await server.restart()
  const second = await read(first.cursor)
  expect(second.startedOver).toBe(true)
  expect((await read(second.cursor)).startedOver).toBe(false)
})

/** Returns a connection that answers only the query of `History.learn`. */
const leadingTo = (server: string, newest: number) =>
  ({ query: async () => ({ rows: [{ server, newest: String(newest) }], rowCount: 1 }) }) as never

test('a history ends with another server, with a lower number of transactions, and with a lost connection', async () => {
  const history = new History()
  const onReset = vi.fn()
  history.onReset(onReset)
  const here = leadingTo('a', 100)
  await history.learn(here)
  const names = [history.nameOn(here)]
  const goesOn = () => {
    const name = history.nameOn(here)
    const isKnown = names.includes(name)
    names.push(name)
    return isKnown
  }
  expect(goesOn()).toBe(true)
  await history.learn(leadingTo('a', 200))
  expect([goesOn(), onReset.mock.calls.length]).toEqual([true, 0])
  await history.learn(leadingTo('a', 150))
  expect([goesOn(), onReset.mock.calls.length]).toEqual([false, 1])
  await history.learn(leadingTo('b', 900))
  expect([goesOn(), onReset.mock.calls.length]).toEqual([false, 2])
  history.doubt()
  expect([goesOn(), onReset.mock.calls.length]).toEqual([false, 2])
})

test('answers that overtake each other are no going back', () => {
  const history = new History()
  const { floor } = history
  expect(history.saw(120, floor)).toBe(true)
  // The second request was sent before the first answer arrived.
  expect(history.saw(110, floor)).toBe(true)
  expect(history.saw(110, history.floor)).toBe(false)
})

test('a connection to one server does not go on with what was read from another one', async () => {
  const history = new History()
  const [old, promoted] = [leadingTo('a', 100), leadingTo('b', 100)]
  await history.learn(old)
  await history.learn(promoted)
  expect(history.nameOn(old)).not.toBe(history.nameOn(promoted))
})
