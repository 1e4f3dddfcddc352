import type { Storage } from '@matchyard/core/ports'
import { type BrokenStorage, replace } from './broken'

const withSince = (storage: Storage, since: Storage['changes']['since']): Storage =>
  replace(storage, { changes: { ...storage.changes, since } })

export const brokenProjectChanges: readonly BrokenStorage[] = [
  {
    name: 'gives a cursor of what is now after a page of what was then',
    caughtBy: 'changes: give a reader without a cursor all that a project holds, in pages, and nothing of another',
    wrap: (storage) =>
      withSince(storage, async (...query) => ({
        ...(await storage.changes.since(...query)),
        cursor: await storage.changes.now(),
      })),
  },
  {
    name: 'leaves no tombstones of what a project held',
    caughtBy: 'changes: tell of every kind that was put, changed and removed after the cursor, and of nothing else',
    wrap: (storage) =>
      withSince(storage, async (...query) => {
        const page = await storage.changes.since(...query)
        return { ...page, changes: page.changes.filter(({ value }) => value !== undefined) }
      }),
  },
  {
    name: 'tells of each change, and not of each thing',
    caughtBy: 'changes: tell once of what changed often, in its newest version',
    wrap: (storage) =>
      withSince(storage, async (...query) => {
        const page = await storage.changes.since(...query)
        return { ...page, changes: page.changes.flatMap((one) => (one.version > 5 ? [one, one] : [one])).slice(0, 3) }
      }),
  },
  {
    name: 'counts what a page tells and does not weigh it',
    caughtBy: 'changes: end a page at its bytes, and tell one value always',
    wrap: (storage) =>
      withSince(storage, (projectId, cursor, { limit }) =>
        storage.changes.since(projectId, cursor, { limit, maxBytes: Number.MAX_SAFE_INTEGER }),
      ),
  },
  {
    name: 'goes on from a cursor whose changes are forgotten',
    caughtBy: 'prune: forgets changes over an hour old: an older cursor starts over, and every other goes on',
    wrap: (storage) =>
      withSince(storage, async (...query) => ({ ...(await storage.changes.since(...query)), startedOver: false })),
  },
]
