import assert from 'node:assert/strict'
import { apply, change, countOk, refuse } from './changes'
import { area } from './harness'

const it = area('counters')

export const counterCases = [
  it('start at 0, add up and may go down again', async ({ storage, backDoor }) => {
    assert.equal(await storage.counters.read('servers'), 0)
    await apply(storage, { counters: [{ id: 'servers', add: 3 }] })
    await apply(storage, { counters: [{ id: 'servers', add: -1 }] })
    assert.equal(await storage.counters.read('servers'), 2)
    assert.deepEqual(await backDoor.counters(), [{ id: 'servers', value: 2 }])
  }),

  it('are summed in ranges of ids, each from its first id on and before its second', async ({ storage }) => {
    const counters = ['a', 'b/1', 'b/2', 'b/3', 'c', '\uff5e'].map((id, at) => ({ id, add: 10 ** at }))
    await apply(storage, { counters })
    const sum = (...ranges: [from: string, below: string][]) =>
      storage.counters.sum(ranges.map(([from, below]) => ({ from, below })))
    assert.equal(await sum(['b/1', 'b/3']), 110)
    assert.equal(await sum(['b/1', 'b/2'], ['c', 'd'], ['x', 'y']), 10_010)
    assert.equal(await sum(['a', 'a'], ['b/1', 'b']), 0)
    assert.equal(await sum(), 0)
  }),

  it('take the last place up to the limit and refuse the next', async ({ storage }) => {
    const one = { counters: [{ id: 'servers', add: 1, atMost: 2 }] }
    await apply(storage, one)
    await apply(storage, one)
    await refuse(storage, one, { kind: 'counter', id: 'servers', on: 'limit' })
    await apply(storage, { counters: [{ id: 'servers', add: -1 }] })
    await apply(storage, one)
    assert.equal(await storage.counters.read('servers'), 2)
  }),

  it('asked with nothing to add are only judged, so a deletion can want that nobody is counted', async ({
    storage,
  }) => {
    const none = { counters: [{ id: 'servers', add: 0, atMost: 0 }] }
    await apply(storage, none)
    await apply(storage, { counters: [{ id: 'servers', add: 1 }] })
    await refuse(storage, none, { kind: 'counter', id: 'servers', on: 'limit' })
    await apply(storage, { counters: [{ id: 'servers', add: -1 }] })
    await apply(storage, none)
    assert.equal(await storage.counters.read('servers'), 0)
  }),

  it('named twice in a commit add up, and the limit sees the sum', async ({ storage }) => {
    const twice = [
      { id: 'servers', add: 1, atMost: 2 },
      { id: 'servers', add: 1, atMost: 2 },
    ]
    await apply(storage, { counters: twice })
    assert.equal(await storage.counters.read('servers'), 2)
    await apply(storage, { counters: [{ id: 'servers', add: -1 }] })
    await refuse(storage, { counters: twice }, { kind: 'counter', id: 'servers', on: 'limit' })
    assert.equal(await storage.counters.read('servers'), 1)
  }),

  it('hold whole numbers up to 2^53', async ({ storage }) => {
    const large = Number.MAX_SAFE_INTEGER - 1
    await apply(storage, { counters: [{ id: 'micro-usd', add: large }] })
    await apply(storage, { counters: [{ id: 'micro-usd', add: 1 }] })
    assert.equal(await storage.counters.read('micro-usd'), Number.MAX_SAFE_INTEGER)
  }),

  it('lose no addition when many add at once', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    const adds = Array.from({ length: 200 }, (_, index) =>
      (index % 2 === 0 ? here : there).commit(change({ counters: [{ id: 'servers', add: 1 }] })),
    )
    assert.equal(countOk(await Promise.all(adds)), 200)
    assert.deepEqual(await subject.backDoor.counters(), [{ id: 'servers', value: 200 }])
  }),

  it('never pass their limit, and fill it, when many add at once', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    const adds = Array.from({ length: 60 }, (_, index) =>
      (index % 2 === 0 ? here : there).commit(change({ counters: [{ id: 'servers', add: 1, atMost: 10 }] })),
    )
    assert.equal(countOk(await Promise.all(adds)), 10)
    assert.deepEqual(await subject.backDoor.counters(), [{ id: 'servers', value: 10 }])
  }),
]
