import { AssertionError } from 'node:assert'
import type { Storage } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { expect, test } from 'vitest'
import {
  BROKEN_STORAGES,
  type BrokenStorage,
  memoryHarness,
  type StorageHarness,
  storageConformance,
} from '../src/entries/storage'

const cases = storageConformance()
const fresh = () => memoryStorage()

function harnessOf(broken: BrokenStorage): StorageHarness {
  const sound = memoryHarness((storage: Storage) => broken.wrap(storage, fresh))
  return {
    async open() {
      const subject = await sound.open()
      const { holdOpen } = broken
      if (holdOpen === undefined) return subject
      return { ...subject, holdOpen: (commit, during) => holdOpen(subject.storage, commit, during) }
    },
  }
}

test('the names of the cases are their own', () => {
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
})

for (const broken of BROKEN_STORAGES) {
  test(`an adapter that ${broken.name} is caught by "${broken.caughtBy}"`, async () => {
    const item = cases.find(({ name }) => name === broken.caughtBy)
    expect(item, 'the named case exists').toBeDefined()
    // The case must fail by an assertion, not because the adapter crashes.
    await expect(item?.run(harnessOf(broken))).rejects.toThrow(AssertionError)
  })
}
