import type { JsonObject, JsonValue, Lobby } from '@matchyard/core'
import type { Entities, EntityKind, Storage } from '@matchyard/core/ports'
import { type BrokenStorage, replace } from './broken'

/** Returns a storage that applies `changed` to the settings of each lobby that it reads. */
function changingSettings(storage: Storage, changed: (settings: JsonValue) => JsonValue): Storage {
  return replace(storage, {
    async get<K extends EntityKind>(kind: K, id: string) {
      const entity = await storage.get(kind, id)
      if (entity === undefined || !('settings' in entity)) return entity
      return { ...entity, settings: changed((entity as Lobby).settings) as JsonObject }
    },
  })
}

const mapObject = (value: JsonValue, map: (entries: [string, JsonValue][]) => [string, JsonValue][]): JsonValue => {
  if (Array.isArray(value)) return value.map((item) => mapObject(item, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(map(Object.entries(value)).map(([key, inner]) => [key, mapObject(inner, map)]))
}

export const brokenReads: readonly BrokenStorage[] = [
  {
    name: 'leaves private lobbies out of the number of lobbies',
    caughtBy: 'browse: counts the lobbies of a project, private ones too, through every change',
    wrap: (storage) =>
      replace(storage, {
        lobbies: {
          ...storage.lobbies,
          count: async (projectId) => {
            const page = { sort: 'created_at_asc', limit: 1, offset: 0 } as const
            return (await storage.lobbies.browse({ projectId, includePrivate: false, ...page })).total
          },
        },
      }),
  },
  {
    name: 'tells as many lobbies as were asked for, however large they are',
    caughtBy: 'lists: tell no more than so many bytes, the first always, whatever is listed',
    wrap: (storage) =>
      replace(storage, {
        lobbies: { ...storage.lobbies, browse: ({ maxBytes: _, ...query }) => storage.lobbies.browse(query) },
      }),
  },
  {
    name: 'tells of changed tickets without a bound in bytes',
    caughtBy: 'tickets: of changed tickets tell no more than so many bytes, and go on with the next, none left out',
    wrap: (storage) =>
      replace(storage, {
        tickets: {
          ...storage.tickets,
          changedSince: (queueKey, cursor, limit) => storage.tickets.changedSince(queueKey, cursor, limit),
        },
      }),
  },
  {
    name: 'begins with the fullest open lobbies again whatever was seen of them',
    caughtBy: 'browse: goes on with the fullest open lobbies after a place',
    wrap: (storage) =>
      replace(storage, {
        lobbies: {
          ...storage.lobbies,
          fullestOpen: ({ after: _, ...query }) => storage.lobbies.fullestOpen(query),
        },
      }),
  },
  {
    name: 'finds the searches of the first player alone',
    caughtBy: 'browse: finds the searches of players in every queue, and no lobby that does not search',
    wrap: (storage) =>
      replace(storage, {
        lobbies: {
          ...storage.lobbies,
          searching: (projectId, playerIds) => storage.lobbies.searching(projectId, playerIds.slice(0, 1)),
        },
      }),
  },
  {
    name: 'begins with the newest lobbies again whatever was seen of them',
    caughtBy: 'browse: goes on after a place, by whatever is asked for, also where what stood there is gone',
    wrap: (storage) =>
      replace(storage, {
        lobbies: { ...storage.lobbies, browse: ({ before: _, ...query }) => storage.lobbies.browse(query) },
      }),
  },
  {
    name: 'counts what comes after a place for all that there are',
    caughtBy: 'browse: goes on after a place, by whatever is asked for, also where what stood there is gone',
    wrap: (storage) =>
      replace(storage, {
        lobbies: {
          ...storage.lobbies,
          async browse(query) {
            const page = await storage.lobbies.browse(query)
            return query.before === undefined ? page : { ...page, total: page.data.length }
          },
        },
      }),
  },
  {
    name: 'lists matches of one queue alone whatever their status',
    caughtBy: 'lists: of matches give those of a project, newest first and after a place, by queue and status',
    wrap: (storage) =>
      replace(storage, {
        matches: {
          ...storage.matches,
          list: ({ status, ...query }) =>
            storage.matches.list(query.queueId === undefined && status !== undefined ? { ...query, status } : query),
        },
      }),
  },
  {
    name: 'lists ended matches by their ids',
    caughtBy: 'lists: of ended matches give ids, versions and projects, the first to end first',
    wrap: (storage) =>
      replace(storage, {
        matches: {
          ...storage.matches,
          listEnded: async ({ until, limit }) =>
            (await storage.matches.listEnded({ until, limit: 1_000 }))
              .sort((a, b) => (a.id < b.id ? 1 : -1))
              .slice(0, limit),
        },
      }),
  },
  {
    name: 'tells only the very first who waits for room, whatever its size',
    caughtBy:
      'servers: that wait for room are told by the first of each region and size in the lines of one orchestrator, the oldest first',
    wrap: (storage) =>
      replace(storage, {
        servers: {
          ...storage.servers,
          firstInLine: async (orchestrator) => (await storage.servers.firstInLine(orchestrator)).slice(0, 1),
        },
      }),
  },
  {
    name: 'answers from a cache that only its own commits refresh',
    caughtBy: 'visibility: a reader that has read before sees each later form, on every handle',
    wrap(storage) {
      const cache = new Map<string, unknown>()
      return replace(storage, {
        async get<K extends EntityKind>(kind: K, id: string) {
          const key = `${kind} ${id}`
          const cached = cache.get(key) ?? (await storage.get(kind, id))
          cache.set(key, cached)
          return structuredClone(cached) as Entities[K] | undefined
        },
        commit(commit) {
          for (const { kind, id } of commit.writes) cache.delete(`${kind} ${id}`)
          return storage.commit(commit)
        },
      })
    },
  },
  {
    name: 'gives every reader the same object',
    caughtBy: 'values: are not shared: what a reader changes is not changed in the store',
    wrap(storage) {
      const shared = new Map<string, unknown>()
      return replace(storage, {
        async get<K extends EntityKind>(kind: K, id: string) {
          const entity = await storage.get(kind, id)
          if (entity === undefined) return undefined
          const key = `${kind} ${id} ${entity.version}`
          // The readers share a copy, because the stored value itself may be shared and frozen.
          if (!shared.has(key)) shared.set(key, structuredClone(entity))
          return shared.get(key) as Entities[K]
        },
      })
    },
  },
  {
    name: 'keeps the order of keys as its database likes it',
    caughtBy: 'values: keys in their order come back as they were put',
    wrap: (storage) =>
      changingSettings(storage, (settings) =>
        mapObject(settings, (entries) => entries.sort(([a], [b]) => (a < b ? -1 : 1))),
      ),
  },
  {
    name: 'drops nulls',
    caughtBy: 'values: nulls come back as they were put',
    wrap: (storage) =>
      changingSettings(storage, (settings) =>
        mapObject(settings, (entries) => entries.filter(([, value]) => value !== null)),
      ),
  },
  {
    name: 'takes the length of the page for the total',
    caughtBy: 'browse: gives windows that together are the whole list, each with the total',
    wrap: (storage) =>
      replace(storage, {
        lobbies: {
          ...storage.lobbies,
          async browse(query) {
            const { data } = await storage.lobbies.browse(query)
            return { total: data.length, data }
          },
        },
      }),
  },
  {
    name: 'shows private lobbies to everyone',
    caughtBy: 'browse: filters by queue, status, region and privacy, alone and together, in every order',
    wrap: (storage) =>
      replace(storage, {
        lobbies: {
          ...storage.lobbies,
          browse: (query) => storage.lobbies.browse({ ...query, includePrivate: true }),
        },
      }),
  },
  {
    name: 'looks at the first setting of a filter only',
    caughtBy: 'browse: filters by settings: every key as it is in JSON, none by half',
    wrap: (storage) =>
      replace(storage, {
        lobbies: {
          ...storage.lobbies,
          browse: ({ settings = {}, ...query }) =>
            storage.lobbies.browse({ ...query, settings: Object.fromEntries(Object.entries(settings).slice(0, 1)) }),
        },
      }),
  },
  {
    name: 'takes the emptiest open lobby for the fullest',
    caughtBy: 'browse: knows the fullest open lobbies of a queue, also among those that fit a filter',
    wrap: (storage) =>
      replace(storage, {
        lobbies: {
          ...storage.lobbies,
          fullestOpen: async (query) => (await storage.lobbies.fullestOpen(query)).reverse(),
        },
      }),
  },
]
