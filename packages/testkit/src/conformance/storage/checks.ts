import assert from 'node:assert/strict'
import type { Check, Put } from '@matchyard/core/ports'
import { apply, change, countOk, next, put, refuse, store } from './changes'
import { area } from './harness'
import { aLobby, aQueue } from './samples'

const it = area('checks')

export const checkCases = [
  it('pass while the entity is as expected, and change nothing', async ({ storage, backDoor }) => {
    const queue = aQueue()
    await store(storage, 'queue', queue)
    await apply(storage, {
      checks: [{ kind: 'queue', id: queue.id, expected: 1 }],
      writes: [put('lobby', aLobby())],
    })
    assert.deepEqual(await backDoor.entities('queue'), [{ id: queue.id, version: 1, value: queue }])
  }),

  it('refuse once the entity has another version', async ({ storage, backDoor }) => {
    const queue = aQueue()
    await store(storage, 'queue', queue)
    await store(storage, 'queue', next(queue, { enabled: false }))
    const checks: Check[] = [{ kind: 'queue', id: queue.id, expected: 1 }]
    const conflict = { kind: 'queue', id: queue.id, on: 'check' } as const
    await refuse(storage, { checks, writes: [put('lobby', aLobby())] }, conflict)
    assert.deepEqual(await backDoor.entities('lobby'), [])
  }),

  it('of an absent entity hold only while it is absent', async ({ storage }) => {
    const queue = aQueue()
    const checks: Check[] = [{ kind: 'queue', id: queue.id, expected: 'absent' }]
    await apply(storage, { checks })
    await store(storage, 'queue', queue)
    await refuse(storage, { checks }, { kind: 'queue', id: queue.id, on: 'check' })
    await refuse(
      storage,
      { checks: [{ kind: 'queue', id: 'prj_a/none', expected: 1 }] },
      { kind: 'queue', id: 'prj_a/none', on: 'check' },
    )
  }),

  it('may name an entity that the commit writes: they look at the state before it', async ({ storage }) => {
    const queue = aQueue()
    await store(storage, 'queue', queue)
    await apply(storage, {
      checks: [{ kind: 'queue', id: queue.id, expected: 1 }],
      writes: [put('queue', next(queue))],
    })
    assert.equal((await storage.get('queue', queue.id))?.version, 2)
  }),

  it('let many commits that check one entity through at once', async ({ storage }) => {
    const queue = aQueue()
    await store(storage, 'queue', queue)
    const commits = Array.from({ length: 50 }, () =>
      storage.commit(
        change({ checks: [{ kind: 'queue', id: queue.id, expected: 1 }], writes: [put('lobby', aLobby())] }),
      ),
    )
    assert.equal(countOk(await Promise.all(commits)), 50)
  }),

  it('hold until the commit is applied: of two that each check what the other writes one is refused', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    for (let round = 0; round < 40; round++) {
      const [left, right] = [aLobby(), aLobby()]
      await store(here, 'lobby', left, right)
      const of = (checked: typeof left, written: typeof left): { checks: Check[]; writes: Put[] } => ({
        checks: [{ kind: 'lobby', id: checked.id, expected: 1 }],
        writes: [put('lobby', next(written))],
      })
      const results = await Promise.all([here.commit(change(of(left, right))), there.commit(change(of(right, left)))])
      assert.equal(countOk(results), 1, `round ${round}`)
    }
  }),
]
