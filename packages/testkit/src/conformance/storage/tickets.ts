import assert from 'node:assert/strict'
import type { QueueTicket } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { apply, change, countOk, next, put, remove, store } from './changes'
import { area } from './harness'
import { aLobby, aRequest, aTicket, QUEUE_KEY } from './samples'

const it = area('tickets')

/**
 * A reader of a queue's ticket changes, like a director: it reads page after page with the cursor, and keeps the
 * waiting tickets.
 */
class Reader {
  readonly waiting = new Map<string, QueueTicket>()
  cursor: string | undefined
  startedOver = 0

  constructor(
    public storage: Storage,
    readonly queueKey: string = QUEUE_KEY,
    readonly limit = 10,
  ) {}

  /** Reads until no further change is ready; returns the ids of the tickets that it read. */
  async follow(): Promise<string[]> {
    const told: string[] = []
    for (let more = true; more; ) {
      const read = await this.storage.tickets.changedSince(this.queueKey, this.cursor, this.limit)
      assert.ok(read.changes.length <= this.limit)
      if (read.startedOver) {
        this.startedOver++
        this.waiting.clear()
      }
      for (const { ticketId, ticket } of read.changes) {
        told.push(ticketId)
        if (ticket === undefined) this.waiting.delete(ticketId)
        else this.waiting.set(ticketId, ticket)
      }
      this.cursor = read.cursor
      more = read.more
    }
    return told
  }
}

export const ticketCases = [
  it('that wait are all given to a reader without a cursor, in pages', async ({ storage }) => {
    const tickets = Array.from({ length: 25 }, () => aTicket())
    const gone = aTicket()
    await store(storage, 'ticket', ...tickets, gone, aTicket({ queueKey: 'prj_a/casual' }))
    await apply(storage, { writes: [remove('ticket', gone)] })
    const reader = new Reader(storage)
    await reader.follow()
    assert.deepEqual([...reader.waiting.keys()].sort(), tickets.map(({ id }) => id).sort())
    assert.deepEqual(reader.waiting.get(tickets[7]?.id ?? ''), tickets[7])
    assert.deepEqual((await new Reader(storage, 'prj_a/none').follow()).length, 0)
  }),

  it('tell of every entry, change and removal after the cursor', async ({ storage }) => {
    const reader = new Reader(storage)
    const [a, b] = [aTicket(), aTicket()]
    await store(storage, 'ticket', a, b)
    await reader.follow()
    await store(storage, 'ticket', next(a, { players: [] }))
    assert.ok((await reader.follow()).includes(a.id))
    assert.deepEqual(reader.waiting.get(a.id), next(a, { players: [] }))
    await apply(storage, { writes: [remove('ticket', b)] })
    assert.ok((await reader.follow()).includes(b.id))
    assert.deepEqual([...reader.waiting.keys()], [a.id])
    const c = aTicket()
    await apply(storage, { writes: [put('ticket', c), remove('ticket', next(a))] })
    await reader.follow()
    assert.deepEqual([...reader.waiting.keys()], [c.id])
  }),

  it('give an empty queue a cursor that works', async ({ storage }) => {
    const reader = new Reader(storage)
    await reader.follow()
    const ticket = aTicket()
    await store(storage, 'ticket', ticket)
    await reader.follow()
    assert.deepEqual([...reader.waiting.values()], [ticket])
    await apply(storage, { writes: [remove('ticket', ticket)] })
    await reader.follow()
    assert.equal(reader.waiting.size, 0)
  }),

  it('are never skipped while many enter, change and leave between the pages', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    const reader = new Reader(there, QUEUE_KEY, 3)
    let living: QueueTicket[] = []
    for (let round = 0; round < 12; round++) {
      const entering = Array.from({ length: 7 }, () => aTicket())
      const [leaving, changing] = [living.slice(0, 3), living.slice(3, 6)]
      const commits = Promise.all([
        ...entering.map((ticket) => here.commit(change({ writes: [put('ticket', ticket)] }))),
        ...leaving.map((ticket) => here.commit(change({ writes: [remove('ticket', ticket)] }))),
        ...changing.map((ticket) => here.commit(change({ writes: [put('ticket', next(ticket))] }))),
      ])
      const [results] = await Promise.all([commits, reader.follow()])
      assert.equal(countOk(results), results.length)
      living = [...living.slice(6), ...changing.map((ticket) => next(ticket)), ...entering]
    }
    await reader.follow()
    const sorted = (tickets: Iterable<QueueTicket>) => [...tickets].map(({ id, version }) => `${id} ${version}`).sort()
    assert.deepEqual(sorted(reader.waiting.values()), sorted(living))
  }),

  it('are not skipped when their commit ends after later ones were read', async (subject) => {
    const late = [aTicket(), aTicket()]
    const reader = new Reader(await subject.another())
    const leaving = aTicket()
    await store(subject.storage, 'ticket', leaving)
    await reader.follow()
    const commit = change({ writes: [...late.map((ticket) => put('ticket', ticket)), remove('ticket', leaving)] })
    const result = await subject.holdOpen(commit, async () => {
      const early = aTicket()
      await store(subject.storage, 'ticket', early)
      await reader.follow()
      assert.ok(reader.waiting.has(early.id))
      assert.ok(late.every(({ id }) => !reader.waiting.has(id)))
    })
    assert.deepEqual(result, { ok: true })
    await reader.follow()
    assert.ok(late.every(({ id }) => reader.waiting.has(id)))
    assert.ok(!reader.waiting.has(leaving.id))
  }),

  it('of a store that has gone back are told anew, and what it lost is to be forgotten', async (subject) => {
    const [kept, leaving] = [aTicket(), aTicket()]
    await store(subject.storage, 'ticket', kept, leaving)
    const reader = new Reader(subject.storage)
    await reader.follow()
    assert.equal(reader.startedOver, 0)
    reader.storage = await subject.goBack(async () => {
      const between = await subject.another()
      await store(between, 'ticket', aTicket(), aTicket())
      await apply(between, { writes: [remove('ticket', leaving)] })
      reader.storage = between
      await reader.follow()
      assert.equal(reader.waiting.size, 3)
    })
    // The restored store gets more changes than were lost, so that a reader that only counts changes would not notice
    // the loss.
    const others = Array.from({ length: 5 }, () => aTicket())
    await store(reader.storage, 'ticket', ...others)
    reader.startedOver = 0
    await reader.follow()
    assert.equal(reader.startedOver, 1)
    assert.deepEqual([...reader.waiting.keys()].sort(), [kept, leaving, ...others].map(({ id }) => id).sort())
    // After reading everything again, the reader continues as usual.
    await apply(reader.storage, { writes: [remove('ticket', leaving)] })
    assert.ok((await reader.follow()).includes(leaving.id))
    assert.equal(reader.startedOver, 1)
    assert.ok(!reader.waiting.has(leaving.id))
  }),

  it('after the cursor of another history are told from the beginning, page by page', async (subject) => {
    const reader = new Reader(subject.storage, QUEUE_KEY, 2)
    await store(subject.storage, 'ticket', aTicket(), aTicket(), aTicket())
    reader.storage = await subject.goBack(async () => {
      const between = await subject.another()
      await store(between, 'ticket', aTicket())
      const first = await between.tickets.changedSince(QUEUE_KEY, undefined, 2)
      assert.deepEqual([first.changes.length, first.more, first.startedOver], [2, true, false])
      // The reader has read some pages, but not the last page.
      reader.cursor = first.cursor
    })
    assert.equal((await reader.follow()).length, 3)
    assert.equal(reader.startedOver, 1)
  }),

  it('of a commit that was refused are not told of', async ({ storage }) => {
    const [stale, refused] = [aLobby(), aTicket()]
    const reader = new Reader(storage)
    await storage.commit(change({ writes: [put('ticket', refused), put('lobby', next(stale))] }))
    await reader.follow()
    assert.equal(reader.waiting.size, 0)
  }),

  it('and the requests of running matches are told of alike', async ({ storage }) => {
    const reader = new Reader(storage)
    const [party, request, gone] = [aTicket(), aRequest(), aRequest()]
    await store(storage, 'ticket', party, request, gone)
    await reader.follow()
    assert.deepEqual(reader.waiting.get(request.id), request)
    assert.deepEqual([...reader.waiting.keys()].sort(), [party.id, request.id, gone.id].sort())
    await store(storage, 'ticket', next(request, { enteredAt: 5 }))
    await apply(storage, { writes: [remove('ticket', gone)] })
    await reader.follow()
    assert.deepEqual(reader.waiting.get(request.id), next(request, { enteredAt: 5 }))
    const anew = new Reader(storage)
    await anew.follow()
    assert.deepEqual([...anew.waiting.keys()].sort(), [party.id, request.id].sort())
  }),

  it('are counted per queue, in parties and players, through every change', async ({ storage }) => {
    const party = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ playerId: `player ${index}`, state: {} }))
    const [a, b] = [aTicket({ players: party(3) }), aTicket({ players: party(2) })]
    const other = aTicket({ queueKey: 'prj_a/casual', players: party(1) })
    await store(storage, 'ticket', a, b, other)
    const waiting = async () => (await storage.tickets.waiting()).sort((x, y) => (x.queueKey < y.queueKey ? -1 : 1))
    const casual = { queueKey: 'prj_a/casual', parties: 1, players: 1 }
    assert.deepEqual(await waiting(), [casual, { queueKey: QUEUE_KEY, parties: 2, players: 5 }])
    await store(storage, 'ticket', next(a, { players: party(5) }))
    assert.deepEqual(await waiting(), [casual, { queueKey: QUEUE_KEY, parties: 2, players: 7 }])
    await apply(storage, { writes: [remove('ticket', other), remove('ticket', b)] })
    assert.deepEqual(await waiting(), [{ queueKey: QUEUE_KEY, parties: 1, players: 5 }])
    await apply(storage, { writes: [remove('ticket', next(a))] })
    assert.deepEqual(await waiting(), [])
  }),

  it('of running matches, which ask for newcomers, count for nobody who waits', async ({ storage }) => {
    const [party, request] = [aTicket(), aRequest()]
    const alone = aRequest({ queueKey: 'prj_a/casual' })
    await store(storage, 'ticket', party, request, alone)
    const one = [{ queueKey: QUEUE_KEY, parties: 1, players: 1 }]
    assert.deepEqual(await storage.tickets.waiting(), one)
    assert.deepEqual(await storage.tickets.waiting('prj_a/casual'), [])
    await store(storage, 'ticket', next(request))
    assert.deepEqual(await storage.tickets.waiting(), one)
    await apply(storage, { writes: [remove('ticket', next(request)), remove('ticket', alone)] })
    assert.deepEqual(await storage.tickets.waiting(), one)
  }),
]
