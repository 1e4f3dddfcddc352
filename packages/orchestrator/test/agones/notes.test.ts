import { createHash } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import zlib from 'node:zlib'
import type { ServerLogLine } from '@matchyard/core/ports'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Notes } from '../../src/agones/farewell/notes'
import { KubeClient } from '../../src/agones/kube/client'
import type { Connection, KubeCall } from '../../src/agones/kube/connection'
import { noteName } from '../../src/agones/names'
import { clusterWithoutSocket } from '../../src/agones/testing/cluster'
import { SECRETS } from '../../src/agones/testing/kubernetes/objects'
import { directConnection } from './direct-connection'

const ending: (() => unknown)[] = []
beforeEach(() => {
  vi.spyOn(zlib, 'gzip')
  syncBuiltinESMExports()
})
afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  for (const end of ending.splice(0).reverse()) end()
})

const LOG_BYTES = 64 * 1_024
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Makes notes for one or several services on one cluster, and records their calls. */
function setting({ kept, before = async () => {} }: { kept: number; before?: (call: KubeCall) => Promise<void> }) {
  const { api, requests, stop } = clusterWithoutSocket()
  ending.push(stop)
  const calls: KubeCall[] = []
  const most = { deletedAtOnce: 0, notes: 0, listedBytes: 0 }
  let deleting = 0
  const direct = directConnection(requests, (call) => calls.push(call))
  const connection: Connection = {
    ...direct,
    async send(call) {
      const isDelete = call.method === 'DELETE'
      if (isDelete) most.deletedAtOnce = Math.max(most.deletedAtOnce, ++deleting)
      await turn()
      await before(call)
      if (isDelete) deleting--
      const answer = await direct.send(call)
      if (isList(call)) most.listedBytes = Math.max(most.listedBytes, answer.text.length)
      most.notes = Math.max(most.notes, api.store.list(SECRETS).length)
      return answer
    },
  }
  const client = new KubeClient(connection, 'games', { now: () => performance.now(), pause: async () => {} })
  const notes = (most = kept) => new Notes(client, 'ins', LOG_BYTES, most)
  const there = () => new Set(api.store.list(SECRETS).map(({ metadata }) => metadata.name))
  return { api, requests, calls, most, notes, there }
}

const isList = ({ method, path }: KubeCall): boolean => method === 'GET' && path.includes('labelSelector=')

const line = (message: string, at = 1): ServerLogLine => ({ at, stream: 'stdout', message })

/** Returns text that packing hardly shortens. */
const noise = (seed: number, length: number): string => {
  let words = ''
  while (words.length < length) words += createHash('sha256').update(`${seed}/${words.length}`).digest('base64')
  return words.slice(0, length)
}

async function stillness(): Promise<void> {
  for (let turns = 0; turns < 500; turns++) await turn()
}

test('of ended instances are kept the newest, and no more than a tenth beyond, also where nobody prunes by time', async () => {
  const kept = 100
  const { most, notes, there, calls } = setting({ kept })
  const mine = notes()
  const lines = [line('x'.repeat(20_000))]
  for (let index = 0; index < 600; index++) await mine.add(`srv_${index}`, 1, lines)
  await stillness()
  expect(there().size).toBeLessThanOrEqual(kept * 1.1)
  expect(most.notes).toBeLessThanOrEqual(kept * 1.5)
  for (let index = 599; index > 599 - kept; index--) expect(there()).toContain(noteName('ins', `srv_${index}`))
  expect(most.deletedAtOnce).toBeGreaterThan(1)
  expect(most.deletedAtOnce).toBeLessThanOrEqual(8)
  // The lists ask only for the metadata of the notes, not for their content.
  const asked = calls.filter(isList).map(({ accept }) => accept)
  expect(asked.length).toBeLessThanOrEqual(60)
  expect(asked.every((one) => one?.startsWith('application/json;as=PartialObjectMetadataList;'))).toBe(true)
  expect(most.listedBytes / most.notes).toBeLessThan(600)
}, 60_000)

test('many services at once keep the same bound, a tenth for each', async () => {
  const { notes, there } = setting({ kept: 100 })
  const services = [notes(), notes(), notes()]
  for (let index = 0; index < 200; index++)
    await Promise.all(services.map((one, service) => one.add(`srv_${service}_${index}`, 1, [])))
  await stillness()
  expect(there().size).toBeLessThanOrEqual(100 + 3 * 10)
}, 60_000)

test('what is not to be had when notes are pruned is pruned with the next ones', async () => {
  const { requests, notes, there } = setting({ kept: 10 })
  const mine = notes()
  requests.faults.judge = ({ verb }) => (verb === 'list' ? 'error' : 'pass')
  for (let index = 0; index < 30; index++) await mine.add(`srv_${index}`, 1, [])
  await stillness()
  expect(there().size).toBe(30)
  requests.faults.clear()
  for (let index = 30; index < 40; index++) await mine.add(`srv_${index}`, 1, [])
  await stillness()
  expect(there().size).toBe(10)
})

test('a note that is pruned while it is written again is made again', async () => {
  const { api, requests, notes, there } = setting({ kept: 10 })
  const mine = notes()
  await mine.add('srv_1', 1, [line('first')])
  requests.faults.judge = ({ verb }) => {
    if (verb === 'patch') api.store.delete(SECRETS, 'games', noteName('ins', 'srv_1'))
    return 'pass'
  }
  await mine.add('srv_1', 2, [line('second')])
  expect(there().size).toBe(1)
  expect((await mine.read('srv_1')).attempts).toEqual([2])
})

test('a note that is written while it is pruned stays', async () => {
  let isWritten = false
  const { notes } = setting({
    kept: 10,
    async before({ method }) {
      if (method !== 'DELETE' || isWritten) return
      isWritten = true
      await other.add('srv_0', 2, [])
    },
  })
  const other = notes(1_000)
  for (let index = 0; index < 11; index++) await other.add(`srv_${index}`, 1, [])
  await notes().prune()
  expect(isWritten).toBe(true)
  expect((await other.read('srv_0')).attempts).toEqual([1, 2])
})

test('of a long log the newest lines are kept that fit, packed twice at the most', async () => {
  const { api, notes } = setting({ kept: 10 })
  const mine = notes()
  const lines = Array.from({ length: 10_000 }, (_, index) => line(noise(index, 300), index))
  await mine.add('srv_1', 1, lines)
  const [secret] = api.store.list(SECRETS)
  const bytes = Buffer.from(secret?.data.note, 'base64').length
  expect(bytes).toBeLessThanOrEqual(LOG_BYTES)
  expect(bytes).toBeGreaterThan(LOG_BYTES / 2)
  const { lines: told } = await mine.read('srv_1')
  expect(told).toEqual(lines.slice(-told.length))
  expect(vi.mocked(zlib.gzip).mock.calls.length).toBeLessThanOrEqual(2)
})

test('of an ordinary log a thousand lines are kept, packed once', async () => {
  const { notes } = setting({ kept: 10 })
  const mine = notes()
  const lines = Array.from({ length: 3_000 }, (_, index) => line(`a player joined the match as number ${index}`, index))
  await mine.add('srv_1', 1, lines)
  expect((await mine.read('srv_1')).lines).toEqual(lines.slice(-1_000))
  expect(vi.mocked(zlib.gzip).mock.calls).toHaveLength(1)
})

test('a line that is larger than all that is kept leaves the attempt noted', async () => {
  const { notes } = setting({ kept: 10 })
  const mine = notes()
  await mine.add('srv_1', 1, [line(noise(1, 4 * LOG_BYTES))])
  expect(await mine.read('srv_1')).toMatchObject({ attempts: [1], lines: [] })
})
