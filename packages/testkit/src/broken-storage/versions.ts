import type { Commit, CommitConflict, Put, Storage, Write } from '@matchyard/core/ports'
import { type BrokenStorage, gap, replaceCommit } from './broken'

/**
 * Returns the write with the stored version as its expected version, whatever version the caller expects; undefined for
 * the removal of an absent entity.
 */
async function expectingNow(storage: Storage, write: Write): Promise<Write | undefined> {
  const current = await storage.get(write.kind, write.id)
  if (!('put' in write)) return current && { ...write, expected: current.version }
  const expected = current?.version ?? 'absent'
  return { ...write, expected, put: { ...write.put, version: (current?.version ?? 0) + 1 } } as Put
}

async function unconditional(storage: Storage, commit: Commit): Promise<Commit> {
  const writes = await Promise.all(commit.writes.map((write) => expectingNow(storage, write)))
  return { ...commit, writes: writes.filter((write) => write !== undefined) }
}

async function staleWrite(storage: Storage, commit: Commit): Promise<CommitConflict | undefined> {
  for (const { kind, id, expected } of commit.writes) {
    if (((await storage.get(kind, id))?.version ?? 'absent') !== expected) return { kind, id, on: 'version' }
  }
  return undefined
}

async function failedCheck(storage: Storage, commit: Commit): Promise<CommitConflict | undefined> {
  for (const { kind, id, expected } of commit.checks) {
    if (((await storage.get(kind, id))?.version ?? 'absent') !== expected) return { kind, id, on: 'check' }
  }
  return undefined
}

export const brokenVersions: readonly BrokenStorage[] = [
  {
    name: 'writes whatever version it is given',
    caughtBy: 'commit: refuses a put of a version that is not the one stored, and names it',
    wrap: (storage) => replaceCommit(storage, async (commit) => storage.commit(await unconditional(storage, commit))),
  },
  {
    name: 'compares versions first and writes later, without a lock between',
    caughtBy: 'races: of the commits that expect one version exactly one returns ok',
    wrap: (storage) =>
      replaceCommit(storage, async (commit) => {
        const conflict = await staleWrite(storage, commit)
        if (conflict !== undefined) return { ok: false, conflict }
        await gap()
        return storage.commit(await unconditional(storage, commit))
      }),
  },
  {
    name: 'does not look at checks',
    caughtBy: 'checks: refuse once the entity has another version',
    wrap: (storage) => replaceCommit(storage, (commit) => storage.commit({ ...commit, checks: [] })),
  },
  {
    name: 'looks at checks without locking what they name',
    caughtBy: 'checks: hold until the commit is applied: of two that each check what the other writes one is refused',
    wrap: (storage) =>
      replaceCommit(storage, async (commit) => {
        const conflict = await failedCheck(storage, commit)
        if (conflict !== undefined) return { ok: false, conflict }
        await gap()
        return storage.commit({ ...commit, checks: [] })
      }),
  },
  {
    name: 'removes what has changed meanwhile',
    caughtBy: 'commit: refuses the removal of a version that has passed',
    wrap: (storage) =>
      replaceCommit(storage, async (commit) => {
        const writes = await Promise.all(
          commit.writes.map((write) => ('remove' in write ? expectingNow(storage, write) : write)),
        )
        return storage.commit({ ...commit, writes: writes.filter((write) => write !== undefined) })
      }),
  },
]
