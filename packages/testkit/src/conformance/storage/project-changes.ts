import assert from 'node:assert/strict'
import type { Lobby } from '@matchyard/core'
import { HOUR_MS } from '@matchyard/core/domain'
import { CHANGE_KINDS, type Change, type ChangeBounds, type Entities, type Storage } from '@matchyard/core/ports'
import { apply, change, countOk, next, put, remove, store } from './changes'
import { area } from './harness'
import { aBuild, aLobby, aMatch, aQueue, aServer, aTicket, oneOfEach, PROJECT_ID } from './samples'

const it = area('changes')
const pruneIt = area('prune')
const NOW = 100 * HOUR_MS

/**
 * A reader of a project's changes, like a dashboard: it reads page after page with the cursor, and keeps the entities
 * that it read.
 */
class Reader {
  readonly there = new Map<string, Change>()
  cursor: string | undefined
  startedOver = 0

  constructor(
    public storage: Storage,
    readonly bounds: ChangeBounds = { limit: 10, maxBytes: 1_000_000 },
    readonly projectId: string = PROJECT_ID,
  ) {}

  /** Reads until no further change is ready; returns the changes as `kind id version`. */
  async follow(): Promise<string[]> {
    const told: string[] = []
    for (let more = true; more; ) {
      const read = await this.storage.changes.since(this.projectId, this.cursor, this.bounds)
      assert.ok(read.changes.length <= this.bounds.limit)
      if (read.startedOver) {
        this.startedOver++
        this.there.clear()
        told.splice(0)
      }
      for (const one of read.changes) {
        told.push(nameOf(one))
        if (one.value === undefined) this.there.delete(`${one.kind} ${one.id}`)
        else this.there.set(`${one.kind} ${one.id}`, one)
      }
      this.cursor = read.cursor
      more = read.more
    }
    return told
  }

  get names(): string[] {
    return [...this.there.values()].map(nameOf).sort()
  }
}

const nameOf = ({ kind, id, version }: Change) => `${kind} ${id} ${version}`
const lobbies = (...all: readonly Lobby[]) => all.map(({ id, version }) => `lobby ${id} ${version}`).sort()

export const projectChangeCases = [
  it('give a reader without a cursor all that a project holds, in pages, and nothing of another', async ({
    storage,
  }) => {
    const own = [aLobby(), aLobby({ status: 'in_game' }), aLobby({ status: 'in_queue' })]
    const gone = aLobby()
    await store(storage, 'lobby', ...own, gone, aLobby({ projectId: 'prj_b' }))
    const [match, other] = [aMatch(), aMatch({ queueId: 'casual', createdAt: 5 })]
    await store(storage, 'match', match, other, aMatch({ projectId: 'prj_ab' }))
    const [server, build, queue] = [aServer(), aBuild(), aQueue()]
    await store(storage, 'server', server, aServer({ projectId: 'prj_b' }))
    await store(storage, 'build', build)
    await store(storage, 'queue', queue, aQueue({ projectId: 'prj_b' }))
    await apply(storage, { writes: [remove('lobby', gone), put('ticket', aTicket()), put('server', next(server))] })
    const reader = new Reader(storage, { limit: 2, maxBytes: 1_000_000 })
    await reader.follow()
    const rest = [`match ${match.id} 1`, `match ${other.id} 1`, `server ${server.id} 2`, `build ${build.id} 1`]
    assert.deepEqual(reader.names, [...lobbies(...own), ...rest, `queue ${queue.id} 1`].sort())
    assert.deepEqual(reader.there.get(`server ${server.id}`)?.value, next(server))
    assert.deepEqual(await reader.follow(), [])
    assert.deepEqual(await new Reader(storage, reader.bounds, 'prj_none').follow(), [])
  }),

  it('tell of every kind that was put, changed and removed after the cursor, and of nothing else', async ({
    storage,
  }) => {
    const reader = new Reader(storage)
    await reader.follow()
    const entities = oneOfEach()
    const kinds = Object.keys(entities) as (keyof Entities)[]
    await apply(storage, { writes: kinds.map((kind) => put(kind, entities[kind])) })
    const told = (version: number) => CHANGE_KINDS.map((kind) => `${kind} ${entities[kind].id} ${version}`).sort()
    assert.deepEqual((await reader.follow()).sort(), told(1))
    for (const kind of kinds) await store(storage, kind, next(entities[kind]) as never)
    assert.deepEqual((await reader.follow()).sort(), told(2))
    assert.deepEqual(reader.there.get(`queue ${entities.queue.id}`)?.value, next(entities.queue))
    await apply(storage, { writes: kinds.map((kind) => remove(kind, next(entities[kind]))) })
    // The record of a removed entity has the version that follows the entity's last version.
    assert.deepEqual((await reader.follow()).sort(), told(3))
    assert.equal(reader.there.size, 0)
    assert.deepEqual(await reader.follow(), [])
  }),

  it('tell once of what changed often, in its newest version', async ({ storage }) => {
    const reader = new Reader(storage, { limit: 3, maxBytes: 1_000_000 })
    await reader.follow()
    let often = aLobby()
    const [once, brief] = [aLobby(), aLobby()]
    await store(storage, 'lobby', often, brief)
    for (let change = 0; change < 9; change++) {
      await store(storage, 'lobby', next(often))
      often = next(often)
      if (change === 4) await store(storage, 'lobby', once)
    }
    await apply(storage, { writes: [remove('lobby', brief)] })
    const told = await reader.follow()
    assert.deepEqual(told.sort(), [...lobbies(often, once), `lobby ${brief.id} 2`].sort())
    assert.deepEqual(reader.names, lobbies(often, once))
  }),

  it('end a page at its bytes, and tell one value always', async ({ storage }) => {
    const large = Array.from({ length: 4 }, () => aLobby({ settings: { text: 'é'.repeat(600) } }))
    const read = async (cursor: string | undefined, maxBytes: number) =>
      storage.changes.since(PROJECT_ID, cursor, { limit: 10, maxBytes })
    const start = await storage.changes.now()
    for (const lobby of large) await store(storage, 'lobby', lobby)
    for (const cursor of [undefined, start]) {
      const page = await read(cursor, 4_000)
      assert.deepEqual([page.changes.length, page.more], [2, true])
      assert.deepEqual((await read(page.cursor, 4_000)).changes.length, 2)
      assert.deepEqual([(await read(cursor, 1)).changes.length, (await read(cursor, 1)).more], [1, true])
      const reader = new Reader(storage, { limit: 10, maxBytes: 1 })
      reader.cursor = cursor
      await reader.follow()
      assert.deepEqual(reader.names, lobbies(...large))
    }
  }),

  it('from now on are told to who asks for no more, on every handle', async (subject) => {
    const before = aLobby()
    await store(subject.storage, 'lobby', before)
    const reader = new Reader(await subject.another())
    reader.cursor = await reader.storage.changes.now()
    assert.deepEqual(await reader.follow(), [])
    const after = aLobby()
    await store(subject.storage, 'lobby', after)
    assert.deepEqual(await reader.follow(), lobbies(after))
  }),

  it('are never skipped while many come, change and go between the pages', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    const reader = new Reader(there, { limit: 3, maxBytes: 4_000 })
    let living: Lobby[] = []
    for (let round = 0; round < 12; round++) {
      const coming = Array.from({ length: 7 }, () => aLobby())
      const [leaving, changing] = [living.slice(0, 3), living.slice(3, 6)]
      const changed = changing.map((lobby) => next(lobby, { status: round % 2 === 0 ? 'in_game' : 'in_queue' }))
      const commits = Promise.all([
        ...coming.map((lobby) => here.commit(change({ writes: [put('lobby', lobby)] }))),
        ...leaving.map((lobby) => here.commit(change({ writes: [remove('lobby', lobby)] }))),
        ...changed.map((lobby) => here.commit(change({ writes: [put('lobby', lobby)] }))),
      ])
      const [results] = await Promise.all([commits, reader.follow()])
      assert.equal(countOk(results), results.length)
      living = [...living.slice(6), ...changed, ...coming]
    }
    await reader.follow()
    assert.deepEqual(reader.names, lobbies(...living))
  }),

  it('are not skipped when their commit ends after later ones were read', async (subject) => {
    const reader = new Reader(await subject.another())
    const [leaving, late] = [aLobby(), aLobby()]
    await store(subject.storage, 'lobby', leaving)
    await reader.follow()
    const commit = change({ writes: [put('lobby', late), remove('lobby', leaving)] })
    const result = await subject.holdOpen(commit, async () => {
      const early = aLobby()
      await store(subject.storage, 'lobby', early)
      await reader.follow()
      assert.deepEqual(reader.names, lobbies(leaving, early))
    })
    assert.deepEqual(result, { ok: true })
    await reader.follow()
    assert.ok(reader.there.has(`lobby ${late.id}`))
    assert.ok(!reader.there.has(`lobby ${leaving.id}`))
  }),

  it('of a commit that was refused, or sent again, are not told of', async ({ storage }) => {
    const reader = new Reader(storage)
    await storage.commit(change({ writes: [put('lobby', aLobby()), put('queue', next(aQueue()))] }))
    assert.deepEqual(await reader.follow(), [])
    const lobby = aLobby()
    const commit = await store(storage, 'lobby', lobby)
    assert.deepEqual(await reader.follow(), lobbies(lobby))
    assert.deepEqual(await storage.commit(commit), { ok: true })
    assert.deepEqual(await reader.follow(), [])
  }),

  it('of a store that has gone back are told anew, and what it lost is to be forgotten', async (subject) => {
    const [kept, leaving] = [aLobby(), aLobby()]
    await store(subject.storage, 'lobby', kept, leaving)
    const reader = new Reader(subject.storage, { limit: 2, maxBytes: 1_000_000 })
    await reader.follow()
    reader.storage = await subject.goBack(async () => {
      const between = await subject.another()
      await store(between, 'lobby', aLobby(), aLobby())
      await apply(between, { writes: [remove('lobby', leaving)] })
      reader.storage = between
      await reader.follow()
      assert.equal(reader.there.size, 3)
    })
    const others = Array.from({ length: 5 }, () => aLobby())
    await store(reader.storage, 'lobby', ...others)
    reader.startedOver = 0
    await reader.follow()
    assert.equal(reader.startedOver, 1)
    assert.deepEqual(reader.names, lobbies(kept, leaving, ...others))
    await apply(reader.storage, { writes: [remove('lobby', leaving)] })
    assert.deepEqual(await reader.follow(), [`lobby ${leaving.id} 2`])
    assert.equal(reader.startedOver, 1)
  }),
]

export const projectChangePruneCases = [
  pruneIt(
    'forgets changes over an hour old: an older cursor starts over, and every other goes on',
    async ({ storage, settle }) => {
      const [stays, left] = [aLobby(), aLobby()]
      await apply(storage, { at: NOW - HOUR_MS - 2, writes: [put('lobby', stays), put('lobby', left)] })
      const old = new Reader(storage)
      await old.follow()
      await apply(storage, { at: NOW - HOUR_MS - 1, writes: [remove('lobby', left)] })
      await settle?.()
      const young = new Reader(storage)
      await young.follow()
      const recent = aLobby()
      await apply(storage, { at: NOW - HOUR_MS, writes: [put('lobby', recent)] })
      await storage.prune(NOW)
      assert.deepEqual(await young.follow(), lobbies(recent))
      await old.follow()
      assert.deepEqual([old.startedOver, young.startedOver], [1, 0])
      assert.deepEqual(old.names, lobbies(stays, recent))
    },
  ),

  pruneIt('takes no change from who reads from the beginning, or has read to the end', async ({ storage, settle }) => {
    const own = [aLobby(), aLobby(), aLobby(), aLobby()]
    await apply(storage, { at: 1, writes: own.map((lobby) => put('lobby', lobby)) })
    const [first, ...rest] = own
    assert.ok(first)
    await apply(storage, { at: 2, writes: [remove('lobby', first)] })
    await settle?.()
    const quiet = new Reader(storage, undefined, 'prj_quiet')
    await quiet.follow()
    await storage.prune(NOW)
    const reader = new Reader(storage, { limit: 1, maxBytes: 1_000_000 })
    await reader.follow()
    await quiet.follow()
    assert.deepEqual([reader.startedOver, quiet.startedOver], [0, 0])
    assert.deepEqual(reader.names, lobbies(...rest))
  }),
]
