import { createMatchyard, type MatchyardOptions } from '@matchyard/core'
import { PeerSilent, type Peers, StorageUnavailable } from '@matchyard/core/ports'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeBuildStore, FakeClock, FakeKeptLogs, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

const HOUR_MS = 3_600_000

/** Returns two nodes that share a storage and a build store, and cannot reach each other. A server runs on the first one. */
async function twoNodes(options: Partial<MatchyardOptions> = {}) {
  const clock = new FakeClock()
  const data = emptyMemoryData()
  const buildStore = new FakeBuildStore()
  const kept = new FakeKeptLogs()
  buildStore.logs = kept
  const peers: Peers = { url: 'http://node', logs: () => Promise.reject(new PeerSilent('none within 5 s')) }
  const node = async (nodeId: string, seed: number) => {
    const orchestrator = new FakeOrchestrator(clock)
    const platform = fakePlatform({ clock, seed })
    const storage = memoryStorage({ data })
    const matchyard = createMatchyard({ ...platform, storage, orchestrator, buildStore, peers, nodeId, ...options })
    await matchyard.open()
    return { orchestrator, matchyard }
  }
  const one = await node('one', 1)
  const { id: projectId } = await one.matchyard.projects.ensure({ name: 'arena' })
  await one.matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  await one.matchyard.worker.runDueJobs()
  const work = async ({ matchyard }: typeof one) => {
    await matchyard.worker.runDueJobs()
    await matchyard.worker.reconcileServers()
    await matchyard.worker.runDueJobs()
  }
  const launch = async () => {
    const { id } = await one.matchyard.servers.create({ projectId, versionTag: 'arena' })
    await work(one)
    return id
  }
  const ended = async (...messages: string[]) => {
    const instanceId = await launch()
    for (const message of messages) one.orchestrator.print(instanceId, message)
    one.orchestrator.exit(instanceId)
    await work(one)
    return instanceId
  }
  const two = await node('two', 2)
  const read = async (instanceId: string, { matchyard }: typeof one = two, limit = 200) =>
    (await matchyard.servers.logs({ projectId, instanceId, limit })).map(({ message }) => message)
  return { clock, kept, projectId, one, two, work, launch, ended, read }
}

describe('the log of a game server that has ended', () => {
  it('is read on every node while its own node is away, and with its limits', async () => {
    const { ended, read } = await twoNodes()
    const instanceId = await ended('first', 'second', 'third')
    expect(await read(instanceId)).toEqual(['first', 'second', 'third'])
    expect(await read(instanceId, undefined, 2)).toEqual(['second', 'third'])
  })

  it('without a line is an empty list on every node, and that of a running one is UNAVAILABLE elsewhere', async () => {
    const { ended, launch, read } = await twoNodes()
    expect(await read(await ended())).toEqual([])
    await expect(read(await launch())).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      detail: expect.stringContaining('on the node one'),
    })
  })

  it('is read from the build store on its own node too, once the node has removed it', async () => {
    const { ended, one, read } = await twoNodes()
    const instanceId = await ended('last words')
    one.orchestrator.logs = async () => []
    expect(await read(instanceId, one)).toEqual(['last words'])
  })

  it('is left by other nodes to its own, which keeps it when it is back', async () => {
    const { one, two, launch, read, work, clock } = await twoNodes()
    const instanceId = await launch()
    one.orchestrator.print(instanceId, 'last words')
    one.orchestrator.exit(instanceId)
    await one.matchyard.worker.reconcileServers()
    await work(two)
    await expect(read(instanceId)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    clock.advance(60_000)
    await work(one)
    expect(await read(instanceId)).toEqual(['last words'])
  })

  it('is not kept when its node was away for too long', async () => {
    const { one, two, launch, work, clock, kept } = await twoNodes()
    one.orchestrator.exit(await launch())
    await one.matchyard.worker.reconcileServers()
    await work(two)
    clock.advance(15 * 60_000 + 1)
    await work(one)
    expect(kept.texts.size).toBe(0)
  })

  it('is kept later when the build store was away, and is asked of its node when the store cannot be read', async () => {
    const { kept, clock, ended, read, work, one } = await twoNodes()
    const away = () => Promise.reject(new StorageUnavailable('the bucket is away'))
    const { put, get } = FakeKeptLogs.prototype
    kept.put = away
    const instanceId = await ended('last words')
    kept.get = away
    await expect(read(instanceId)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    kept.put = put
    kept.get = get
    clock.advance(60_000)
    await work(one)
    expect(await read(instanceId)).toEqual(['last words'])
  })

  it('that is damaged is asked of its node, and is no failure of the call', async () => {
    const { ended, kept, read, one } = await twoNodes()
    const instanceId = await ended('last words')
    for (const text of ['', '{"lines":[{"at":1', 'null', '{}']) {
      kept.get = async () => text
      await expect(read(instanceId)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      expect(await read(instanceId, one)).toEqual(['last words'])
    }
  })

  it('has a megabyte at most, of the newest lines', async () => {
    const { ended, kept, read } = await twoNodes()
    const messages = Array.from({ length: 150 }, (_, index) => `${index}`.padEnd(10_000, 'ü'))
    const instanceId = await ended(...messages)
    const [text = ''] = kept.texts.values()
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000_100)
    const lines = await read(instanceId)
    expect(lines.length).toBeGreaterThan(40)
    expect(lines).toEqual(messages.slice(-lines.length))
  })

  it('is removed after its hours, and is not kept with none', async () => {
    const { ended, kept, clock, one } = await twoNodes({ logRetentionHours: 2 })
    await ended('old')
    clock.advance(HOUR_MS)
    const young = await ended('young')
    clock.advance(HOUR_MS + 1)
    await one.matchyard.worker.runDueJobs()
    expect([...kept.texts.keys()]).toEqual([expect.stringContaining(young)])
    const off = await twoNodes({ logRetentionHours: 0 })
    await off.ended('never kept')
    expect(off.kept.texts.size).toBe(0)
  })

  it('goes first of its project when the project has too many bytes or logs, and other projects keep theirs', async () => {
    const { kept, clock, one } = await twoNodes()
    const start = clock.now()
    const name = (project: string, index: number) => `${project}/${String(start + index).padStart(13, '0')}-srv`
    const entries = [
      ...[1, 2, 3].map((index) => ({ name: name('prj_a', index), bytes: 400_000_000 })),
      { name: name('prj_b', 1), bytes: 900_000_000 },
      ...Array.from({ length: 10_002 }, (_, index) => ({ name: name('prj_c', index), bytes: 1 })),
    ]
    const removed: string[] = []
    kept.list = async (after = '') => entries.filter((entry) => entry.name > after).slice(0, 1_000)
    kept.remove = async (gone) => void removed.push(gone)
    clock.advance(HOUR_MS)
    await one.matchyard.worker.runDueJobs()
    expect(removed).toEqual([name('prj_a', 1), name('prj_c', 0), name('prj_c', 1)])
  })

  it('that cannot be removed holds up no other, and ten of them end a prune until the next', async () => {
    const { kept, clock, one } = await twoNodes({ logRetentionHours: 0 })
    const names = Array.from({ length: 30 }, (_, index) => `prj_a/${String(index).padStart(13, '0')}-srv`)
    kept.list = async (after = '') => names.filter((name) => name > after).map((name) => ({ name, bytes: 1 }))
    const tried: string[] = []
    let broken = 1
    kept.remove = async (name) => {
      tried.push(name)
      if (names.indexOf(name) < broken) throw new StorageUnavailable('the disk is broken')
    }
    const pruned = async () => {
      tried.length = 0
      clock.advance(15 * 60_000)
      await one.matchyard.worker.runDueJobs()
      return tried.length
    }
    expect(await pruned()).toBe(30)
    broken = 30
    expect(await pruned()).toBe(11)
    expect(await pruned()).toBe(11)
  })
})
