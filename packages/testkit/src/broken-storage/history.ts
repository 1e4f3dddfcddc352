import type { HistoryCell, Storage } from '@matchyard/core/ports'
import { HISTORY_STEP_NAMES, HISTORY_STEPS, historyPlaceAt } from '@matchyard/core/ports'
import { type BrokenStorage, replace, replaceCommit } from './broken'

const withHistory = (storage: Storage, history: Partial<Storage['history']>): Storage =>
  replace(storage, { history: { ...storage.history, ...history } })

/** Returns a storage that adds the rows of refused commits too, in a commit of their own. */
const addingAll = (storage: Storage): Storage =>
  replaceCommit(storage, async ({ history = [], ...commit }) => {
    const result = await storage.commit(commit)
    const own = { checks: [], writes: [], counters: [], events: [], jobs: [] }
    if (history.length > 0) await storage.commit({ ...own, id: `${commit.id} history`, at: commit.at, history })
    return result
  })

export const brokenHistory: readonly BrokenStorage[] = [
  {
    name: 'adds nothing to the history',
    caughtBy: 'history: adds up rows by step, slot, project, series, queue and key',
    wrap: (storage) => replaceCommit(storage, ({ history: _, ...commit }) => storage.commit(commit)),
  },
  {
    name: 'adds the rows of commits that it refuses to the history',
    caughtBy: 'history: comes from what was applied, and from that once',
    wrap: addingAll,
  },
  {
    name: 'reads the first queue of a project where no queue is asked for',
    caughtBy: 'history: sums the queues of a project, and amounts without a queue, where no queue is asked for',
    wrap: (storage) =>
      withHistory(storage, { read: (query) => storage.history.read({ ...query, queueId: query.queueId ?? 'duel' }) }),
  },
  {
    name: 'reads the slot at the end of the history that is asked for',
    caughtBy: 'history: is read from its first slot to the end, which is excluded, and at most as many as asked',
    wrap: (storage) =>
      withHistory(storage, { read: (query) => storage.history.read({ ...query, to: query.to + query.step }) }),
  },
  {
    name: 'lists the rows of the history after the slot of a place',
    caughtBy: 'history: lists the rows of one step after a place, whole and in order',
    wrap: (storage) =>
      withHistory(storage, {
        rows: (step, { slot }, before, limit) =>
          storage.history.rows(step, historyPlaceAt(slot === 0 ? 0 : slot + step), before, limit),
      }),
  },
  {
    name: 'keeps the history for ever',
    caughtBy: 'history: forgets the rows that are older than their step is kept, and no others',
    wrap: (storage) =>
      replace(storage, {
        async prune(now) {
          const rows: HistoryCell[] = []
          const gone = (name: (typeof HISTORY_STEP_NAMES)[number]) =>
            storage.history.rows(HISTORY_STEPS[name], historyPlaceAt(0), now, 1_000)
          for (const name of HISTORY_STEP_NAMES) rows.push(...(await gone(name)))
          await storage.prune(now)
          const left: HistoryCell[] = []
          for (const name of HISTORY_STEP_NAMES) left.push(...(await gone(name)))
          const again = rows.filter((row) => !left.some(({ step, slot }) => step === row.step && slot === row.slot))
          const none = { checks: [], writes: [], counters: [], events: [], jobs: [] }
          if (again.length > 0) await storage.commit({ ...none, id: `again ${now}`, at: now, history: again })
        },
      }),
  },
]
