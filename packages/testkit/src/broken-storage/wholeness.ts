import type { Commit, CommitResult, Storage } from '@matchyard/core/ports'
import { type BrokenStorage, gap, replace, replaceCommit } from './broken'

interface Waiting {
  readonly commit: Commit
  readonly answer: (result: CommitResult) => void
}

/** Returns a storage that collects the commits that arrive together, and passes each group of commits to `run`. */
function grouping(storage: Storage, run: (group: readonly Waiting[]) => Promise<void>): Storage {
  const group: Waiting[] = []
  const flush = async () => {
    await gap()
    await run(group.splice(0))
  }
  return replaceCommit(storage, (commit) => {
    return new Promise((answer) => {
      group.push({ commit, answer })
      if (group.length === 1) void flush()
    })
  })
}

export const brokenWholeness: readonly BrokenStorage[] = [
  {
    name: 'keeps what a commit wrote before it met a conflict',
    caughtBy: 'commit: changes nothing at all when its last write conflicts',
    wrap: (storage) =>
      replaceCommit(storage, async (commit) => {
        const result = await storage.commit(commit)
        for (const [index, write] of result.ok ? [] : commit.writes.entries()) {
          const part = { id: `${commit.id} ${index}`, at: 1, checks: [], writes: [write] }
          const kept = await storage.commit({ ...part, counters: [], events: [], jobs: [] })
          if (!kept.ok) break
        }
        return result
      }),
  },
  {
    name: 'loses the rest of a group once one of it conflicts, and says ok',
    caughtBy: 'races: a commit that conflicts in a crowd fails alone, and the others keep what they wrote',
    wrap: (storage) =>
      grouping(storage, async (group) => {
        let lost = false
        for (const { commit, answer } of group) {
          const result: CommitResult = lost ? { ok: true } : await storage.commit(commit)
          lost ||= !result.ok
          answer(result)
        }
      }),
  },
  {
    name: 'refuses a whole group for one that conflicts',
    caughtBy: 'races: a commit that conflicts in a crowd fails alone, and the others keep what they wrote',
    wrap: (storage) =>
      grouping(storage, async (group) => {
        let refusal: CommitResult | undefined
        for (const { commit, answer } of group) {
          const result = refusal ?? (await storage.commit(commit))
          if (!result.ok) refusal = result
          answer(result)
        }
      }),
  },
  {
    name: 'answers before it has written',
    caughtBy: 'visibility: every read that starts after the answer sees what was written, on every handle',
    wrap: (storage) =>
      replaceCommit(storage, async (commit) => {
        setImmediate(() => storage.commit(commit).catch(() => {}))
        return { ok: true }
      }),
  },
  {
    name: 'keeps everything beside the store and never in it',
    caughtBy: 'commit: writes entities, counters, events and jobs together',
    wrap: (_storage, fresh) => fresh(),
  },
  {
    name: 'applies a commit again when it is sent again',
    caughtBy: 'commit: is answered ok and not applied twice when it is sent again',
    wrap: (storage) => {
      let sent = 0
      return replaceCommit(storage, (commit) => storage.commit({ ...commit, id: `${commit.id} #${++sent}` }))
    },
  },
  {
    name: 'takes the newest commit for the one with the newest instant',
    caughtBy: 'commit: raises the newest instant and never lowers it',
    wrap(storage) {
      let latest = 0
      return replace(storage, {
        newestInstant: async () => latest,
        async commit(commit) {
          const result = await storage.commit(commit)
          if (result.ok) latest = commit.at
          return result
        },
      })
    },
  },
]
