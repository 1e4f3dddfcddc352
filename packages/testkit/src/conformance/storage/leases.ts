import assert from 'node:assert/strict'
import { area } from './harness'

const it = area('leases')

export const leaseCases = [
  it('are held by one holder until they run out', async ({ storage }) => {
    assert.equal(await storage.leases.acquire('director', 'node_1', 1_000, 500), true)
    assert.equal(await storage.leases.acquire('director', 'node_2', 1_499, 500), false)
    assert.equal(await storage.leases.acquire('director', 'node_2', 1_500, 500), true)
    assert.equal(await storage.leases.acquire('director', 'node_1', 1_600, 500), false)
  }),

  it('are renewed by their holder', async ({ storage }) => {
    await storage.leases.acquire('director', 'node_1', 1_000, 500)
    assert.equal(await storage.leases.acquire('director', 'node_1', 1_400, 500), true)
    assert.equal(await storage.leases.acquire('director', 'node_2', 1_800, 500), false)
    assert.equal(await storage.leases.acquire('director', 'node_2', 1_900, 500), true)
  }),

  it('are free once their holder releases them, and nobody else can', async ({ storage }) => {
    await storage.leases.acquire('director', 'node_1', 1_000, 500)
    await storage.leases.release('director', 'node_2')
    assert.equal(await storage.leases.acquire('director', 'node_2', 1_001, 500), false)
    await storage.leases.release('director', 'node_1')
    assert.equal(await storage.leases.acquire('director', 'node_2', 1_002, 500), true)
    await storage.leases.release('never taken', 'node_1')
  }),

  it('of different names do not meet', async ({ storage }) => {
    assert.equal(await storage.leases.acquire('one', 'node_1', 1_000, 500), true)
    assert.equal(await storage.leases.acquire('two', 'node_2', 1_000, 500), true)
  }),

  it('go to exactly one of many that ask at once', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    for (let round = 0; round < 20; round++) {
      const asked = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 === 0 ? here : there).leases.acquire('director', `node_${index}`, 1_000 * round, 1_000),
        ),
      )
      assert.equal(asked.filter(Boolean).length, 1, `round ${round}`)
    }
  }),
]
