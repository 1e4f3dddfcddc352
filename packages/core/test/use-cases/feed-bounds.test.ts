import type { FeedMessage } from '@matchyard/core'
import { describe, expect, it } from 'vitest'
import { Batch, Batches } from '../../src/streams/project/batches'
import { RecentPages } from '../../src/streams/recent-pages'
import { type Service, service, settled } from './service'

const PACE = 100

const quiet = async () => {
  for (let turn = 0; turn < 10; turn++) await settled()
}

async function given(around?: Parameters<typeof service>[0], more?: Parameters<typeof service>[1]): Promise<Service> {
  const made = await service(around, more)
  await made.matchyard.queues.create({ projectId: made.projectId, queueId: 'duel', name: 'Duel' })
  return made
}

const batch = (bytes: number) => new Batch('', `${bytes}`, [{ data: 'x'.repeat(bytes - 2) } as never])

describe('the batches that feeds keep', () => {
  it('are bounded in bytes, of one project and in all', () => {
    const node = new RecentPages<Batch>(40_000, 10_000)
    const ofFeed = (projectId: string) => new Batches(projectId, node)
    const [one, other] = [ofFeed('one'), ofFeed('other')]
    for (let n = 0; n < 5; n++) one.add(batch(4_000))
    // One project keeps a quarter of the bytes: two batches with their overhead.
    expect([one.first, one.end]).toEqual([3, 5])
    const others = Array.from({ length: 4 }, (_, n) => ofFeed(`${n}`))
    for (const feed of [...others, other]) {
      feed.add(batch(4_000))
      feed.add(batch(4_000))
    }
    // All projects together keep the whole bound: the oldest batches were removed, of any project.
    expect([one.first, others[0]?.first]).toEqual([5, 2])
    expect([other.first, other.end]).toEqual([0, 2])
    one.add(batch(400_000))
    expect(node.find('one', 5)?.bytes).toBe(400_000)
    other.forget()
    expect(node.find('other', 1)).toBeUndefined()
  })

  it('are asked for by the cursor at which they end', () => {
    const recent = new Batches('one', new RecentPages(1_000_000))
    for (const bytes of [2, 3, 4]) recent.add(batch(bytes))
    expect([recent.after('3'), recent.after('4'), recent.after('5')]).toEqual([2, 3, undefined])
  })
})

describe('a feed', () => {
  it('holds nothing for a reader that reads nothing: it is told of a gap, and goes on with what is new', async () => {
    const { matchyard, projectId, clock } = await given(undefined, { streams: { feedBytes: 40_000 } })
    const feed = await matchyard.feed(projectId, { kinds: ['lobby'] })
    const made: string[] = []
    for (let n = 0; n < 20; n++) {
      const settings = { text: 'x'.repeat(2_000) }
      made.push((await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: `p${n}`, settings })).id)
      await quiet()
      clock.advance(PACE)
    }
    expect((await feed.next())?.event).toBe('hello')
    expect((await feed.next())?.event).toBe('gap')
    const { id } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'late' })
    expect(await feed.next()).toMatchObject({ event: 'change', id })
    // The reader's cursor is valid again.
    const resumed = await matchyard.feed(projectId, { cursor: feed.cursor })
    expect((await resumed.next())?.event).toBe('hello')
  })

  it('reads once for all who read, ten times a second at the most', async () => {
    let reads = 0
    const { matchyard, projectId, clock } = await given((storage) => ({
      changes: {
        ...storage.changes,
        since: (...query) => {
          reads++
          return storage.changes.since(...query)
        },
      },
    }))
    for (let n = 0; n < 50; n++) void (await matchyard.feed(projectId)).next()
    await quiet()
    reads = 0
    for (let ms = 0; ms < 1_000; ms += 10) {
      await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: `p${ms}` })
      clock.advance(10)
      await quiet()
    }
    expect(reads).toBeLessThanOrEqual(11)
    expect(reads).toBeGreaterThan(8)
  })

  it('reads for four projects at once', async () => {
    let [reading, most] = [0, 0]
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { matchyard } = await given((storage) => ({
      changes: {
        ...storage.changes,
        since: async (...query) => {
          most = Math.max(most, ++reading)
          await held
          reading--
          return storage.changes.since(...query)
        },
      },
    }))
    for (let n = 0; n < 9; n++) await matchyard.feed((await matchyard.projects.ensure({ name: `project ${n}` })).id)
    await quiet()
    expect(reading).toBe(4)
    release()
    await quiet()
    expect([reading, most]).toEqual([0, 4])
  })

  it('reads for who comes back in pages, and tells of everything once', async () => {
    const bounds: unknown[] = []
    const { matchyard, projectId, clock } = await given((storage) => ({
      changes: {
        ...storage.changes,
        since: (...query) => {
          bounds.push(query[2])
          return storage.changes.since(...query)
        },
      },
    }))
    const first = await matchyard.feed(projectId)
    await first.next()
    first.close()
    const made = new Set<string>()
    for (let n = 0; n < 250; n++) {
      made.add((await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: `p${n}` })).id)
    }
    bounds.splice(0)
    const feed = await matchyard.feed(projectId, { cursor: first.cursor, kinds: ['lobby'] })
    const told: FeedMessage[] = []
    for (let n = 0; n < 251; n++) {
      const message = await feed.next()
      if (message !== undefined) told.push(message)
    }
    expect(told[0]?.event).toBe('hello')
    expect(
      told
        .slice(1)
        .map((message) => message.event === 'change' && message.id)
        .sort(),
    ).toEqual([...made].sort())
    expect(bounds.filter((one) => JSON.stringify(one) === '{"limit":100,"maxBytes":262144}')).toHaveLength(
      bounds.length,
    )
    const { id } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'late' })
    clock.advance(PACE)
    expect(await feed.next()).toMatchObject({ id })
  })

  it('takes a place among the streams, of its key and in all', async () => {
    const { matchyard, projectId } = await given(undefined, { streams: { open: 6, openPerKey: 2 } })
    const feeds = [await matchyard.feed(projectId, { keyId: 'a' }), await matchyard.feed(projectId, { keyId: 'a' })]
    await expect(matchyard.feed(projectId, { keyId: 'a' })).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    feeds.push(await matchyard.feed(projectId))
    await expect(matchyard.feed(projectId, { keyId: 'b' })).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    for (const feed of feeds) feed.close()
    expect(matchyard.openStreams()).toBe(0)
  })
})
