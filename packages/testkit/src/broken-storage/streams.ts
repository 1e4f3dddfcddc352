import type { Commit, CommitResult, Storage } from '@matchyard/core/ports'
import { signalsOf } from '@matchyard/core/ports'
import { type BrokenStorage, replace, replaceCommit } from './broken'

interface Change {
  readonly sequence: number
  readonly queueKey: string
  readonly ticketId: string
}

/**
 * Numbers ticket changes when a commit begins and shows the changes when the commit ends, like a sequence or a
 * timestamp column of a database. A commit that ends late then has a lower number than the cursors of readers, so that
 * the readers miss it.
 */
class EarlyNumbers {
  sequence = 0
  readonly log: Change[] = []

  constructor(readonly storage: Storage) {}

  async commit(commit: Commit, during = async () => {}): Promise<CommitResult> {
    const changes: Change[] = []
    for (const { kind, id: ticketId, ...write } of commit.writes) {
      if (kind !== 'ticket') continue
      const ticket = await this.storage.get('ticket', ticketId)
      const queueKey = 'put' in write && 'queueKey' in write.put ? write.put.queueKey : ticket?.queueKey
      if (queueKey !== undefined) changes.push({ sequence: ++this.sequence, queueKey, ticketId })
    }
    await during()
    const result = await this.storage.commit(commit)
    if (result.ok) this.log.push(...changes)
    return result
  }

  async changedSince(queueKey: string, cursor: string | undefined) {
    const after = Number(cursor ?? 0)
    const read = this.log
      .filter((change) => change.queueKey === queueKey && change.sequence > after)
      .sort((a, b) => a.sequence - b.sequence)
    const changes = read.map(async ({ ticketId }) => ({ ticketId, ticket: await this.storage.get('ticket', ticketId) }))
    const last = read.at(-1)?.sequence ?? after
    return { changes: await Promise.all(changes), cursor: String(last), more: false, startedOver: false }
  }
}

const numbering = new WeakMap<Storage, EarlyNumbers>()
// All handles of a store share the numbering, because in a database all connections use the same sequence.
let shared: EarlyNumbers | undefined

export const brokenStreams: readonly BrokenStorage[] = [
  {
    name: 'skips ticket changes that commit late',
    caughtBy: 'tickets: are not skipped when their commit ends after later ones were read',
    wrap(storage, fresh) {
      shared ??= new EarlyNumbers(fresh())
      const numbers = shared
      const broken = replace(numbers.storage, {
        commit: (commit) => numbers.commit(commit),
        tickets: { ...storage.tickets, changedSince: (queueKey, cursor) => numbers.changedSince(queueKey, cursor) },
        async close() {
          shared = undefined
          await storage.close()
        },
      })
      numbering.set(broken, numbers)
      return broken
    },
    async holdOpen(storage, commit, during) {
      const numbers = numbering.get(storage)
      if (numbers === undefined) throw new Error('this storage was not made by this wrapper')
      return numbers.commit(commit, during)
    },
  },
  {
    name: 'moves the cursor past the changes that did not fit',
    caughtBy: 'tickets: that wait are all given to a reader without a cursor, in pages',
    wrap: (storage) =>
      replace(storage, {
        tickets: {
          ...storage.tickets,
          async changedSince(queueKey, cursor, limit) {
            const page = await storage.tickets.changedSince(queueKey, cursor, limit)
            const rest = await storage.tickets.changedSince(queueKey, page.cursor, 1_000_000)
            return { ...page, cursor: rest.cursor }
          },
        },
      }),
  },
  {
    name: 'leaves no tombstones',
    caughtBy: 'tickets: tell of every entry, change and removal after the cursor',
    wrap: (storage) =>
      replace(storage, {
        tickets: {
          ...storage.tickets,
          async changedSince(queueKey, cursor, limit) {
            const page = await storage.tickets.changedSince(queueKey, cursor, limit)
            return { ...page, changes: page.changes.filter(({ ticket }) => ticket !== undefined) }
          },
        },
      }),
  },
  {
    name: 'does not say that it has gone back',
    caughtBy: 'tickets: of a store that has gone back are told anew, and what it lost is to be forgotten',
    wrap: (storage) =>
      replace(storage, {
        tickets: {
          ...storage.tickets,
          changedSince: async (queueKey, cursor, limit) => ({
            ...(await storage.tickets.changedSince(queueKey, cursor, limit)),
            startedOver: false,
          }),
        },
      }),
  },
  {
    name: 'keeps the events of a refused commit',
    caughtBy: 'events: of a refused commit do not exist',
    wrap: (storage) =>
      replaceCommit(storage, async (commit) => {
        const result = await storage.commit(commit)
        const events = { id: `${commit.id} events`, at: commit.at, events: commit.events }
        if (!result.ok) await storage.commit({ ...events, checks: [], writes: [], counters: [], jobs: [] })
        return result
      }),
  },
  {
    name: 'loses the event of a commit that met another',
    caughtBy: 'events: have no gap and no double under contention, and a reader that follows sees each once',
    wrap(storage) {
      let open = 0
      return replaceCommit(storage, async (commit) => {
        open++
        try {
          // When this promise has settled, all commits that arrived together are counted.
          await Promise.resolve()
          return await storage.commit(open > 1 ? { ...commit, events: [] } : commit)
        } finally {
          open--
        }
      })
    },
  },
  {
    name: 'reads by number whatever the bytes',
    caughtBy: 'logs: are read up to the bytes that are asked for, and one event always',
    wrap: (storage) =>
      replace(storage, {
        events: {
          ...storage.events,
          read: (lobbyId, after, limit) => storage.events.read(lobbyId, after, limit, Number.MAX_SAFE_INTEGER),
        },
      }),
  },
  {
    name: 'answers nothing where the first event alone is too large',
    caughtBy: 'logs: are read up to the bytes that are asked for, and one event always',
    wrap: (storage) =>
      replace(storage, {
        events: {
          ...storage.events,
          async read(...query) {
            const events = await storage.events.read(...query)
            return (events[0]?.bytes ?? 0) > query[3] ? [] : events
          },
        },
      }),
  },
  {
    name: 'tells a head for each lobby that is asked for',
    caughtBy: 'logs: tell their heads all at once, and leave out what has no log',
    wrap: (storage) =>
      replace(storage, {
        events: {
          ...storage.events,
          async heads(lobbyIds) {
            const heads = new Map((await storage.events.heads(lobbyIds)).map((head) => [head.lobbyId, head]))
            return lobbyIds.map((lobbyId) => heads.get(lobbyId) ?? { lobbyId, version: 0 })
          },
        },
      }),
  },
  {
    name: 'keeps events while they are few and small, however old',
    caughtBy: 'logs: keep the events of the last hour at the most, however few and small',
    wrap: (storage) => replace(storage, { events: { ...storage.events, prune: () => storage.events.prune(0) } }),
  },
  {
    name: 'tells of commits that were refused',
    caughtBy: 'signals: do not tell of a commit that was refused',
    wrap(storage) {
      const listeners = new Set<Parameters<Storage['subscribe']>[0]>()
      return replace(storage, {
        async commit(commit) {
          for (const signal of signalsOf(commit)) for (const listener of listeners) listener(signal)
          return storage.commit(commit)
        },
        subscribe(listener) {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      })
    },
  },
]
