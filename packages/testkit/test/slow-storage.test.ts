import type { Storage } from '@matchyard/core/ports'
import { test } from 'vitest'
import { memoryHarness, storageConformance, storageFollowsModel } from '../src/entries/storage'

/** Returns a function that waits a random number of turns of the event loop, like a network before and after a call. */
function turnsFrom(seed: number): () => Promise<void> {
  let state = seed
  return async () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    for (let turns = Math.floor(state / 1_000) % 4; turns > 0; turns--) await new Promise(setImmediate)
  }
}

/** Returns the storage as if it were far away: calls overtake each other and answers come late. */
function farAway(storage: Storage): Storage {
  const turns = turnsFrom(7)
  const slow = (value: unknown): unknown => {
    if (typeof value === 'function') {
      return async (...args: unknown[]) => {
        await turns()
        const result = await value(...args)
        await turns()
        return result
      }
    }
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, slow(part)]))
  }
  return { ...(slow({ ...storage }) as Storage), subscribe: storage.subscribe }
}

// The suite must also work for databases, where calls take time and the first call may arrive last.
for (const item of storageConformance()) {
  test(`on a storage that is far away: ${item.name}`, () => item.run(memoryHarness(farAway)))
}

test('on a storage that is far away: 50 random histories say what a plain model says', () =>
  storageFollowsModel(memoryHarness(farAway), { runs: 50, inOrder: false }))
