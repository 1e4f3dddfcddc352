import assert from 'node:assert/strict'
import type { Entities, EntityKind, Storage } from '@matchyard/core/ports'
import { apply, freshId, next, remove, store } from './changes'
import { area } from './harness'
import {
  ACCOUNT_ID,
  aBan,
  aBuild,
  aDelivery,
  aLobby,
  aMatch,
  anAccount,
  anApiKey,
  aProject,
  aQueue,
  aServer,
  aTicket,
  PROJECT_ID,
  QUEUE_KEY,
} from './samples'

const it = area('lists')
const ticketsIt = area('tickets')
const COUNT = 6
const text = 'é'.repeat(1_000)
/**
 * Limit of one page in bytes: enough for three values of somewhat more than 2,000 bytes, but not for a fourth value.
 */
const THREE = 3 * 2_000 + 1_900

/**
 * One kind of list; with a function that makes large values for the list, and a function that reads the list from an
 * offset.
 */
interface ByBytes {
  readonly name: string
  readonly kind: EntityKind
  readonly make: (n: number) => Entities[EntityKind]
  readonly read: (
    storage: Storage,
    page: { limit: number; offset: number; maxBytes?: number },
  ) => Promise<readonly { readonly id: string }[]>
}

const team = [
  {
    name: 'team_1',
    players: [{ playerId: 'ann', lobbyId: 'lob_a', role: null, state: { text }, leftAt: null }],
  },
]
const browse = { projectId: PROJECT_ID, includePrivate: true } as const

const LISTS: readonly ByBytes[] = [
  ...(['created_at_asc', 'created_at_desc', 'player_count_desc'] as const).flatMap((sort) =>
    [{}, { status: 'waiting' }, { settings: { mode: 'large' } }].map(
      (filter): ByBytes => ({
        name: `lobbies by ${sort} ${JSON.stringify(filter)}`,
        kind: 'lobby',
        make: (n) => aLobby({ settings: { mode: 'large', text }, createdAt: 1_000 + n }),
        read: async (storage, page) =>
          (await storage.lobbies.browse({ ...browse, ...filter, sort, ...page } as never)).data,
      }),
    ),
  ),
  {
    name: 'accounts',
    kind: 'account',
    make: () => anAccount({ id: freshId('acc_z'), name: text }),
    read: async (storage, page) => {
      const { total } = await storage.accounts.list({ limit: 1, offset: 0 })
      return (await storage.accounts.list({ ...page, offset: total - COUNT + page.offset })).data
    },
  },
  {
    name: 'projects',
    kind: 'project',
    make: (n) => aProject({ name: text, createdAt: 1_000 + n }),
    read: async (storage, page) => (await storage.projects.list(ACCOUNT_ID, page)).data,
  },
  {
    name: 'API keys',
    kind: 'api-key',
    make: (n) => anApiKey({ name: text, createdAt: 1_000 + n }),
    read: async (storage, page) => (await storage.apiKeys.list(PROJECT_ID, page)).data,
  },
  {
    name: 'queues',
    kind: 'queue',
    make: (n) => aQueue({ queueId: `q${n}`, name: text }),
    read: async (storage, page) => (await storage.queues.list(PROJECT_ID, page)).data,
  },
  {
    name: 'builds',
    kind: 'build',
    make: (n) => aBuild({ errorMessage: text, buildVersion: n + 1, createdAt: 1_000 + n }),
    read: async (storage, page) => (await storage.builds.list({ projectId: PROJECT_ID, ...page })).data,
  },
  ...[{}, { matchId: 'mat_a' }, { versionTag: 'arena' }].map(
    (filter): ByBytes => ({
      name: `servers ${JSON.stringify(filter)}`,
      kind: 'server',
      make: (n) => aServer({ customData: { text }, createdAt: 1_000 + n, matchId: 'mat_a', versionTag: 'arena' }),
      read: async (storage, page) => (await storage.servers.list({ projectId: PROJECT_ID, ...filter, ...page })).data,
    }),
  ),
  ...[{}, { status: 'pending' as const }].map(
    (filter): ByBytes => ({
      name: `deliveries ${JSON.stringify(filter)}`,
      kind: 'delivery',
      make: (n) =>
        aDelivery({
          createdAt: 1_000 + n,
          attempts: [{ at: 1_000, statusCode: null, error: text, durationMs: 1 }],
        }),
      read: async (storage, page) => (await storage.deliveries.list({ webhookId: 'whk_a', ...filter, ...page })).data,
    }),
  ),
  ...[{}, { status: 'running' as const }, { queueId: 'ranked' }].map(
    (filter): ByBytes => ({
      name: `matches ${JSON.stringify(filter)}`,
      kind: 'match',
      make: (n) => aMatch({ status: 'running', teams: team, createdAt: 1_000 + n }),
      // The list of matches accepts no offset: it continues after a given match. So this function first reads the
      // matches before the offset.
      async read(storage, { limit, offset, ...bytes }) {
        const query = { projectId: PROJECT_ID, ...filter }
        const all = await storage.matches.list({ ...query, limit: COUNT })
        const last = all[offset - 1]
        const before = last && { createdAt: last.createdAt, id: last.id }
        return storage.matches.list({ ...query, limit, ...bytes, ...(before && { before }) })
      },
    }),
  ),
  {
    name: 'bans',
    kind: 'ban',
    make: (n) => aBan({ note: text, createdAt: 1_000 + n }),
    read: (storage, page) => storage.bans.list({ projectId: PROJECT_ID, ...page }),
  },
]

export const listByteCases = [
  it('tell no more than so many bytes, the first always, whatever is listed', async ({ storage }) => {
    for (const { name, kind, make, read } of LISTS) {
      const made = Array.from({ length: COUNT }, (_, n) => make(n))
      await store(storage, kind, ...(made as never[]))
      const ids = async (page: object) =>
        (await read(storage, { limit: COUNT, offset: 0, ...page })).map(({ id }) => id)
      const all = await ids({})
      assert.equal(all.length, COUNT, name)
      const some = await ids({ maxBytes: THREE })
      assert.ok(some.length >= 1 && some.length <= 3, `${name}: ${some.length} within the bytes of three`)
      assert.deepEqual(some, all.slice(0, some.length), name)
      assert.deepEqual(await ids({ maxBytes: 1 }), all.slice(0, 1), name)
      assert.deepEqual(await ids({ maxBytes: 1, offset: 2 }), all.slice(2, 3), name)
      assert.deepEqual(await ids({ maxBytes: 1_000_000 }), all, name)
      await apply(storage, { writes: made.map((value) => remove(kind, value)) })
    }
  }),

  it('of matches of a player tell no more than so many bytes, the first always', async ({ storage }) => {
    const matches = Array.from({ length: COUNT }, (_, n) => aMatch({ teams: team, createdAt: 2_000 - n }))
    await store(storage, 'match', ...matches)
    const of = (maxBytes?: number) => storage.matches.ofPlayer(PROJECT_ID, 'ann', COUNT, maxBytes)
    assert.deepEqual(await of(), matches)
    assert.deepEqual(await of(1), matches.slice(0, 1))
    const some = await of(THREE)
    assert.ok(some.length >= 1 && some.length <= 3)
    assert.deepEqual(some, matches.slice(0, some.length))
  }),

  ticketsIt(
    'of changed tickets tell no more than so many bytes, and go on with the next, none left out',
    async ({ storage }) => {
      const tickets = Array.from({ length: COUNT }, () => aTicket({ players: [{ playerId: 'ann', state: { text } }] }))
      await store(storage, 'ticket', ...tickets)
      const walk = async (from: string | undefined, maxBytes: number) => {
        const told: string[] = []
        const pages: number[] = []
        let cursor = from
        for (let more = true; more; ) {
          const read = await storage.tickets.changedSince(QUEUE_KEY, cursor, 100, maxBytes)
          assert.equal(read.startedOver, false)
          told.push(...read.changes.map(({ ticketId }) => ticketId))
          pages.push(read.changes.length)
          cursor = read.cursor
          more = read.more
          assert.ok(pages.length <= 3 * COUNT, 'the reading comes to an end')
        }
        return { told: new Set(told), largest: Math.max(...pages), cursor }
      }
      const ids = new Set(tickets.map(({ id }) => id))
      const first = await walk(undefined, THREE)
      assert.deepEqual(first.told, ids)
      assert.ok(first.largest >= 1 && first.largest <= 3)
      await store(storage, 'ticket', ...tickets.map((ticket) => next(ticket, { region: 'fra' })))
      const again = await walk(first.cursor, 1)
      assert.deepEqual(again.told, ids)
      assert.equal(again.largest, 1)
      assert.equal((await walk(undefined, 1_000_000)).largest, COUNT)
    },
  ),
]
