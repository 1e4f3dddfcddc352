import { addedUp, type Storage, type UsageSum } from '@matchyard/core/ports'
import { type BrokenStorage, gap, replace, replaceCommit } from './broken'

const withMetered = (storage: Storage, metered: Storage['servers']['metered']): Storage =>
  replace(storage, { servers: { ...storage.servers, metered } })

/**
 * Returns a storage that adds up the usage in this process instead of in the store. It adds the usage of every commit
 * that is sent, even if the commit is refused.
 */
function addingBeside(storage: Storage): Storage {
  const seen: UsageSum[] = []
  return replace(
    withMetered(storage, async (account, from, to) => ({
      ...(await storage.servers.metered(account, from, to)),
      sums: addedUp(
        seen.filter(({ accountId, beginsAt }) => accountId === account && beginsAt >= from && beginsAt < to),
      ),
    })),
    {
      async commit(commit) {
        seen.push(...(commit.usage ?? []))
        return storage.commit(commit)
      },
    },
  )
}

export const brokenUsage: readonly BrokenStorage[] = [
  {
    name: 'adds up what commits that it refuses, or applied before, are metered for',
    caughtBy: 'usage: comes from what was applied, and from that once',
    wrap: addingBeside,
  },
  {
    name: 'adds up nothing',
    caughtBy: 'usage: is added up by account, project, tier and where it begins, and told in that order',
    wrap: (storage) => replaceCommit(storage, ({ usage: _, ...commit }) => storage.commit(commit)),
  },
  {
    name: 'reads the servers that run, and the sums a moment later',
    caughtBy: 'usage: has a server that ends in its sums or among those that run, and never in both or neither',
    wrap: (storage) =>
      withMetered(storage, async (account, from, to) => {
        const { servers } = await storage.servers.metered(account, from, to)
        await gap()
        return { servers, sums: (await storage.servers.metered(account, from, to)).sums }
      }),
  },
  {
    name: 'tells what begins at the end of the stretch',
    caughtBy: 'usage: is told of a stretch of time, its end excluded',
    wrap: (storage) => withMetered(storage, (account, from, to) => storage.servers.metered(account, from, to + 1)),
  },
]
