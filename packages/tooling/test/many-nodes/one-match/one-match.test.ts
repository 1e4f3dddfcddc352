import { setImmediate as turn } from 'node:timers/promises'
import type { Storage } from '@matchyard/core/ports'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seeded } from '../../../src/rounds'
import { Arena } from './arena'
import { RACES } from './list'

const ROUNDS = 50

/** Returns a storage that commits a few turns of the event loop later, so that other calls run in between. */
function late(storage: Storage, random: () => number): Storage {
  return {
    ...storage,
    commit: async (change) => {
      for (let left = random() * 3; left >= 1; left--) await turn()
      return storage.commit(change)
    },
  }
}

describe('one outcome of each race on three nodes in memory', () => {
  const { seed, next: random } = seeded()
  let arena: Arena
  beforeAll(async () => {
    const data = emptyMemoryData()
    arena = await Arena.open(() => late(memoryStorage({ data }), random))
  })
  afterAll(() => arena.close())

  it.each(RACES)('%s: one outcome, seen by all nodes', async (_, race) => {
    const tally = await race(arena, { rounds: ROUNDS, random })
    expect(Object.values(tally).filter((count) => count > 0).length, `seed ${seed}`).toBeGreaterThan(1)
  })
})
