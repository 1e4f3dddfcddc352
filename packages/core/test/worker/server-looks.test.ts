import type { Orchestrator, Storage } from '@matchyard/core/ports'
import { expect, it } from 'vitest'
import { type Service, service, settled } from '../use-cases/service'

const SECOND_MS = 1_000

/** Returns servers at rest on a platform that all nodes share, and counts of the later reads and writes. */
async function atRest(count: number) {
  const seen = { all: 0, among: [] as string[][], touched: [] as number[] }
  const counted = (storage: Storage): Partial<Storage> => ({
    getMany: (kind, ids) => {
      if (kind === 'server') seen.among.push([...ids])
      return storage.getMany(kind, ids)
    },
    servers: {
      ...storage.servers,
      listLive: (nodeId) => {
        seen.all++
        return storage.servers.listLive(nodeId)
      },
    },
    presence: {
      ...storage.presence,
      touch: (entries) => {
        if (entries.some(({ member }) => member === 'process')) seen.touched.push(entries.length)
        return storage.presence.touch(entries)
      },
    },
  })
  const given = await service(counted)
  const { matchyard, projectId, orchestrator } = given
  let hint: Parameters<Orchestrator['subscribe']>[0] = () => {}
  Object.assign(orchestrator, {
    sharedAs: 'everywhere',
    subscribe: (listener: typeof hint) => {
      hint = listener
      return () => {}
    },
  })
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push((await matchyard.servers.create({ projectId, versionTag: 'arena' })).id)
  await matchyard.start()
  await live(given, 12 * SECOND_MS)
  for (const instanceId of ids) expect((await matchyard.servers.get({ projectId, instanceId })).status).toBe('running')
  const counts = () => {
    const { all, among, touched } = seen
    Object.assign(seen, { all: 0, among: [], touched: [] })
    return { all, among, touched }
  }
  counts()
  const statusOf = async (instanceId: string) => (await matchyard.servers.get({ projectId, instanceId })).status
  const exits = (instanceId: string) => {
    const process = given.machine.alive.find((one) => one.instanceId === instanceId)
    if (process !== undefined) given.machine.exit(process, 0, given.clock.now())
  }
  return { ...given, ids, hint: (id: string) => hint(id), counts, statusOf, exits }
}

async function live({ clock }: Pick<Service, 'clock'>, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    await settled()
    clock.advance(50)
  }
  await settled()
}

it('a hint costs a look at what it names, and not at all that is at rest', async () => {
  const given = await atRest(20)
  const [first = ''] = given.ids
  given.exits(first)
  given.hint(first)
  await live(given, 0.5 * SECOND_MS)
  expect(await given.statusOf(first)).toBe('stopped')
  const { among } = given.counts()
  expect(among.length).toBeGreaterThan(0)
  expect(new Set(among.flat())).toEqual(new Set([first]))
  await given.matchyard.stop()
})

it('what no hint told of is found within seconds, by few looks at all', async () => {
  const given = await atRest(20)
  const [first = ''] = given.ids
  given.exits(first)
  await live(given, 5.5 * SECOND_MS)
  expect(await given.statusOf(first)).toBe('stopped')
  given.counts()
  await live(given, 20 * SECOND_MS)
  expect(given.counts().all).toBe(4)
  await given.matchyard.stop()
})

it('that all of them were seen is one write', async () => {
  const given = await atRest(20)
  await live(given, 5.5 * SECOND_MS)
  expect(given.counts().touched).toEqual([20])
  await given.matchyard.stop()
})

it('of more than 1,000 hints none is kept: all servers are looked at', async () => {
  const given = await atRest(3)
  const [first = ''] = given.ids
  given.counts()
  given.exits(first)
  for (let n = 0; n <= 1_000; n++) given.hint(`unknown ${n}`)
  given.hint(first)
  await live(given, 0.5 * SECOND_MS)
  expect(await given.statusOf(first)).toBe('stopped')
  const { all, among } = given.counts()
  expect(all).toBe(1)
  expect(among.flat().filter((id) => id !== first)).toEqual([])
  await given.matchyard.stop()
})

it('what is in motion is looked at every second, though nobody hints at it', async () => {
  const given = await atRest(3)
  const [first = ''] = given.ids
  const { reached, release } = given.orchestrator.hold('stop', 'before')
  await given.matchyard.servers.stop({ projectId: given.projectId, instanceId: first })
  await live(given, 0.5 * SECOND_MS)
  await reached
  given.counts()
  // The process ends by itself while the stop is held.
  given.exits(first)
  release()
  await live(given, 2 * SECOND_MS)
  expect(await given.statusOf(first)).toBe('stopped')
  expect(given.counts().all).toBeLessThanOrEqual(1)
  await given.matchyard.stop()
})

it('a look that failed is followed by one at all', async () => {
  const given = await atRest(3)
  const [first = '', second = ''] = given.ids
  given.counts()
  const { observe } = given.orchestrator
  let failures = 0
  given.orchestrator.observe = async (...args) => {
    if (failures++ === 0) throw new Error('nobody answers')
    return observe(...args)
  }
  given.exits(first)
  given.exits(second)
  given.hint(first)
  await live(given, 1.5 * SECOND_MS)
  expect(failures).toBeGreaterThan(1)
  expect([await given.statusOf(first), await given.statusOf(second)]).toEqual(['stopped', 'stopped'])
  await given.matchyard.stop()
})

it.each([
  { place: undefined, withinMs: 1_200 },
  { place: 'everywhere', withinMs: 5_200 },
])('what began on a machine that was quiet is looked at as any other: place $place', async ({ place, withinMs }) => {
  const given = await service()
  Object.assign(given.orchestrator, place === undefined ? {} : { sharedAs: place })
  const { matchyard, machine, projectId, clock } = given
  await matchyard.start()
  await live(given, 0.5 * SECOND_MS)
  const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
  await live(given, 3 * SECOND_MS)
  const [process] = machine.alive
  if (process === undefined) throw new Error('it does not run')
  machine.exit(process, 0, clock.now())
  await live(given, withinMs)
  expect((await matchyard.servers.get({ projectId, instanceId })).status).toBe('stopped')
  await matchyard.stop()
})

it('servers were seen when they were looked at, however long others of the same look take', async () => {
  const given = await atRest(2)
  const [first = '', second = ''] = given.ids
  const { orchestrator, matchyard, machine, clock, projectId } = given
  const held = orchestrator.hold('stop', 'before')
  await matchyard.servers.stop({ projectId, instanceId: first })
  await live(given, 6 * SECOND_MS)
  await held.reached
  const died = clock.now()
  const process = machine.alive.find((one) => one.instanceId === second)
  if (process === undefined) throw new Error('it does not run')
  machine.exit(process, 0, died)
  // The orchestrator no longer knows when the process ended.
  machine.forget(second, died)
  await live(given, 24 * SECOND_MS)
  held.release()
  await live(given, 8 * SECOND_MS)
  const { status, stoppedAt } = await matchyard.servers.get({ projectId, instanceId: second })
  expect(status).toBe('failed')
  expect(stoppedAt ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(died)
  await matchyard.stop()
})
