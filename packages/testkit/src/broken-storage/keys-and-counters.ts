import { type AnyEntity, type Commit, type CommitConflict, type Storage, uniqueKeysOf } from '@matchyard/core/ports'
import { type BrokenStorage, gap, replaceCommit } from './broken'

const KEYED_KINDS = [
  'account',
  'project',
  'api-key',
  'invitation',
  'build',
  'lobby',
  'invite-hold',
  'server',
  'machine',
] as const

const keysOf = (write: Commit['writes'][number]): readonly string[] =>
  'put' in write ? uniqueKeysOf({ kind: write.kind, value: write.put } as AnyEntity) : []

/**
 * Returns the first unique key of a commit that another entity holds at this time, even if the commit would remove or
 * change that entity.
 */
async function keyInUse(storage: Storage, commit: Commit): Promise<CommitConflict | undefined> {
  for (const write of commit.writes) {
    for (const key of keysOf(write)) {
      for (const kind of KEYED_KINDS) {
        const holder = await storage.find(kind, key)
        if (holder !== undefined && holder.id !== write.id) return { kind: 'unique-key', id: key, on: 'unique' }
      }
    }
  }
  return undefined
}

export const brokenKeysAndCounters: readonly BrokenStorage[] = [
  {
    name: 'judges unique keys on the state before the commit',
    caughtBy: 'unique keys: may move between the entities of one commit, in whatever order it writes them',
    wrap: (storage) =>
      replaceCommit(storage, async (commit) => {
        const conflict = await keyInUse(storage, commit)
        return conflict === undefined ? storage.commit(commit) : { ok: false, conflict }
      }),
  },
  {
    name: 'says ok to a key that is taken, and drops the commit',
    caughtBy: 'unique keys: are held by one entity at a time',
    wrap: (storage) =>
      replaceCommit(storage, async (commit) => {
        const result = await storage.commit(commit)
        return !result.ok && result.conflict.on === 'unique' ? { ok: true } : result
      }),
  },
  {
    name: 'never frees the keys of what was removed',
    caughtBy: 'unique keys: are freed when the entity is removed',
    wrap(storage) {
      const dead = new Set<string>()
      return replaceCommit(storage, async (commit) => {
        const taken = commit.writes.flatMap(keysOf).find((key) => dead.has(key))
        if (taken !== undefined) return { ok: false, conflict: { kind: 'unique-key', id: taken, on: 'unique' } }
        const removed = await Promise.all(
          commit.writes.map(async (write) => {
            const value = 'remove' in write ? await storage.get(write.kind, write.id) : undefined
            return value === undefined ? [] : uniqueKeysOf({ kind: write.kind, value } as AnyEntity)
          }),
        )
        const result = await storage.commit(commit)
        if (result.ok) for (const key of removed.flat()) dead.add(key)
        return result
      })
    },
  },
  {
    name: 'adds to counters whatever their limit',
    caughtBy: 'counters: take the last place up to the limit and refuse the next',
    wrap: (storage) =>
      replaceCommit(storage, (commit) =>
        storage.commit({ ...commit, counters: commit.counters.map(({ id, add }) => ({ id, add })) }),
      ),
  },
  {
    name: 'compares a counter with its limit first and adds later',
    caughtBy: 'counters: never pass their limit, and fill it, when many add at once',
    wrap: (storage) =>
      replaceCommit(storage, async (commit) => {
        for (const { id, add, atMost = Number.POSITIVE_INFINITY } of commit.counters) {
          const sum = (await storage.counters.read(id)) + add
          if (sum > atMost) return { ok: false, conflict: { kind: 'counter', id, on: 'limit' } }
        }
        await gap()
        return storage.commit({ ...commit, counters: commit.counters.map(({ id, add }) => ({ id, add })) })
      }),
  },
]
