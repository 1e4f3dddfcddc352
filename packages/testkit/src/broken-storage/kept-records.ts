import type { Commit, IdempotencyRecord, Storage } from '@matchyard/core/ports'
import { type BrokenStorage, replaceCommit } from './broken'

/** Returns a storage that applies `change` to the idempotency records of each commit. */
const withRecords = (storage: Storage, change: (record: IdempotencyRecord) => Partial<IdempotencyRecord>): Storage =>
  replaceCommit(storage, (commit: Commit) =>
    storage.commit({
      ...commit,
      writes: commit.writes.map((write) =>
        write.kind === 'idempotency' && 'put' in write
          ? { ...write, put: { ...write.put, ...change(write.put) } }
          : write,
      ),
    }),
  )

export const brokenKeptRecords: readonly BrokenStorage[] = [
  {
    name: 'leaves the records of an owner to be pruned when they expire',
    caughtBy: 'kept records: of an owner are as many as there may be, the newest, without anybody pruning',
    wrap: (storage) => withRecords(storage, ({ id }) => ({ owner: id })),
  },
  {
    name: 'counts the records of an owner and not their bytes',
    caughtBy: 'kept records: of an owner have no more bytes than they may, the newest always',
    wrap: (storage) => withRecords(storage, () => ({ bytes: 0 })),
  },
  {
    name: 'bounds the records of owners alone',
    caughtBy: 'kept records: of a group are bounded too, whoever their owners are',
    wrap: (storage) => withRecords(storage, () => ({ group: null })),
  },
  {
    name: 'takes all records without an owner for those of one',
    caughtBy: 'kept records: of nobody in particular are not bounded',
    wrap: (storage) => withRecords(storage, ({ owner = 'one' }) => ({ owner })),
  },
]
