import type { Match } from '@matchyard/core'
import { type Commit, isParty, queueKey, type Storage, type WaitTotal, waitCellsOf } from '@matchyard/core/ports'
import { type BrokenStorage, replace, replaceCommit } from './broken'

const matchesIn = (commit: Commit): Match[] =>
  commit.writes.flatMap((write) => (write.kind === 'match' && 'put' in write ? [write.put] : []))

/**
 * Returns a storage that counts a queue's figures in this process instead of in the store. It counts every match that
 * `counted` finds in a commit, even if the commit is refused.
 */
function countingBeside(storage: Storage, counted: (commit: Commit) => readonly Match[]): Storage {
  const seen: Match[] = []
  return replace(storage, {
    async commit(commit) {
      seen.push(...counted(commit))
      return storage.commit(commit)
    },
    matches: {
      ...storage.matches,
      waits: async (key, since): Promise<WaitTotal[]> =>
        seen
          .filter(({ projectId, queueId }) => queueKey(projectId, queueId) === key)
          .flatMap((match) => waitCellsOf(match).filter(({ slot }) => slot >= since))
          .map(({ slot: _, ...total }) => total)
          .sort((a, b) => a.players - b.players || a.bucket - b.bucket),
    },
  })
}

/** Returns the commit with every request for players changed into the ticket of a party without players. */
const asParties = (commit: Commit): Commit => ({
  ...commit,
  writes: commit.writes.map((write) => {
    if (write.kind !== 'ticket' || !('put' in write) || isParty(write.put)) return write
    const { request: _, ...ticket } = write.put
    return { ...write, put: ticket }
  }),
})

export const brokenFigures: readonly BrokenStorage[] = [
  {
    name: 'counts the matches of commits that it refuses',
    caughtBy: 'figures: of matches come from what was applied alone',
    wrap: (storage) => countingBeside(storage, matchesIn),
  },
  {
    name: 'counts a match again whenever it changes',
    caughtBy: 'figures: of matches leave direct starts out, and what becomes of a match later',
    wrap: (storage) =>
      countingBeside(storage, (commit) => matchesIn(commit).map((match) => ({ ...match, version: 1 }))),
  },
  {
    name: 'asks of new matches alone what they add',
    caughtBy: 'figures: of proposed matches count what they are and what came of it, with the commit that says so',
    wrap: (storage) => countingBeside(storage, (commit) => matchesIn(commit).filter(({ version }) => version === 1)),
  },
  {
    name: 'counts nothing but matches',
    caughtBy:
      'figures: of what commits count besides stand beside those of matches, each reason by itself, and come from what was applied',
    wrap: (storage) => replaceCommit(storage, ({ figures: _, ...commit }) => storage.commit(commit)),
  },
  {
    name: 'shows the same few who came first, also when they have left',
    caughtBy: 'figures: show all who wait where they are few, in their present form',
    wrap(storage) {
      const first = new Map<string, ReturnType<Storage['tickets']['sample']>>()
      return replace(storage, {
        async commit(commit) {
          const result = await storage.commit(commit)
          for (const write of commit.writes) {
            if (write.kind !== 'ticket' || !('put' in write) || first.has(write.put.queueKey)) continue
            first.set(write.put.queueKey, storage.tickets.sample(write.put.queueKey, 100, 1_000_000))
          }
          return result
        },
        tickets: { ...storage.tickets, sample: async (key) => structuredClone((await first.get(key)) ?? []) },
      })
    },
  },
  {
    name: 'counts what running matches ask for among those who wait',
    caughtBy: 'tickets: of running matches, which ask for newcomers, count for nobody who waits',
    wrap: (storage) => replaceCommit(storage, (commit) => storage.commit(asParties(commit))),
  },
  {
    name: 'tells large tickets without a bound',
    caughtBy: 'figures: show fewer of those who are large, and never none',
    wrap: (storage) =>
      replace(storage, {
        tickets: {
          ...storage.tickets,
          sample: (key, limit) => storage.tickets.sample(key, limit, Number.MAX_SAFE_INTEGER),
        },
      }),
  },
]
