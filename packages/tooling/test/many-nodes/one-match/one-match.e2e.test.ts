import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rounds, seeded } from '../../../src/rounds'
import { STORES, type Store } from '../stores'
import { Arena } from './arena'
import { RACES } from './list'

describe.each(STORES)('one outcome of each race on three nodes on %s', (name, open) => {
  let store: Store
  let arena: Arena
  beforeAll(async () => {
    store = await open()
    arena = await Arena.open(store.handle)
  }, 120_000)
  afterAll(async () => {
    await arena?.close()
    await store?.end()
  })

  it.each(RACES)('%s: one outcome, seen by all nodes', { timeout: 1_800_000 }, async (what, race) => {
    const { seed, next: random } = seeded()
    const tally = await race(arena, { rounds: rounds(1_000), random })
    console.log(`${name}, seed ${seed}, ${what}: ${JSON.stringify(tally)}`)
    expect(Object.values(tally).filter((count) => count > 0).length, `seed ${seed}`).toBeGreaterThan(1)
  })
})
