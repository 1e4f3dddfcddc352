import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Commit, EntityKind, Storage } from '@matchyard/core/ports'
import type { StorageBackDoor, StorageHarness } from '@matchyard/testkit/storage'
import { Client } from 'pg'
import type { PostgresStorageOptions } from '../options'
import { postgresStorage } from '../postgres-storage'
import type { PostgresPool } from '../program-pool'

/** A connection that does not use the adapter, for statements of the tests. */
export class SideDoor {
  #client: Promise<Client> | undefined

  constructor(
    readonly url: string,
    readonly schema: string,
  ) {}

  async query<T>(sql: string, values: readonly unknown[] = []): Promise<T[]> {
    this.#client ??= this.connect()
    return (await (await this.#client).query(sql, [...values])).rows as T[]
  }

  /** Opens another connection, which the caller must end. */
  async connect(): Promise<Client> {
    const client = new Client(this.url)
    // The test may break this connection too; the client ignores the error, because only the adapter must notice it.
    client.on('error', () => {})
    await client.connect()
    await client.query(`set search_path to ${this.schema}`)
    return client
  }

  async end(): Promise<void> {
    await (await this.#client)?.end()
    this.#client = undefined
  }
}

const tableOf = (kind: EntityKind) => kind.replace('-', '_')

function backDoorOf(door: SideDoor): StorageBackDoor {
  const numbered = <T extends { version: unknown }>(row: T) => ({ ...row, version: Number(row.version) })
  return {
    entities: async (kind) => {
      const rows = await door.query<{ id: string; version: string; body: string }>(`select * from ${tableOf(kind)}`)
      return rows.map(({ id, version, body }) => ({ id, version: Number(version), value: JSON.parse(body) }))
    },
    uniqueKeys: () => door.query('select key, kind, id from unique_key'),
    counters: async () => {
      const rows = await door.query<{ id: string; value: string }>('select id, value from counter')
      return rows.map(({ id, value }) => ({ id, value: Number(value) }))
    },
    events: async (lobbyId) =>
      (
        await door.query<{ version: string; name: 'lobby_updated' | 'lobby_deleted' }>(
          'select version, name from stream_event where lobby_id = $1',
          [lobbyId],
        )
      ).map(numbered),
    jobs: async () => {
      const rows = await door.query<{ id: string; kind: string; run_at: string; tenant: string; payload: string }>(
        'select * from job',
      )
      return rows.map(({ id, kind, run_at, tenant, payload }) => ({
        id,
        kind,
        runAt: Number(run_at),
        tenant,
        payload: JSON.parse(payload),
      }))
    },
  }
}

/** Resolves when a statement of another connection waits for a lock of the connection `holder`. */
export async function waitUntilBlockedBy(door: SideDoor, holder: Client): Promise<void> {
  const [own] = (await holder.query<{ pid: number }>('select pg_backend_pid() as pid')).rows
  for (;;) {
    const blocked = await door.query('select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [own?.pid])
    if (blocked.length > 0) return
    await wait(2)
  }
}

/**
 * Resolves when every transaction that is open on the server now has ended. Other test files use the same server at the
 * same time.
 */
async function waitUntilSettled(door: SideDoor): Promise<void> {
  const [now] = await door.query<{ xmax: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as xmax')
  const settled = 'select from pg_current_snapshot() as seen where pg_snapshot_xmin(seen) >= $1::xid8'
  while ((await door.query(settled, [now?.xmax])).length === 0) await wait(2)
}

/** Sends a commit that waits before its last statements, runs `during` meanwhile, and then lets the commit continue. */
export async function holdOpen(door: SideDoor, storage: Storage, commit: Commit, during: () => Promise<void>) {
  const holder = await door.connect()
  try {
    // A commit writes its id into the log after all other changes except totals and counters, on which other commits
    // would wait.
    await holder.query('begin')
    await holder.query('insert into commit_log (id, at) values ($1, 0)', [commit.id])
    const result = storage.commit(commit)
    // If `during` fails, its error is thrown and the commit's error is ignored.
    result.catch(() => {})
    await waitUntilBlockedBy(door, holder)
    await during()
    await holder.query('rollback')
    return await result
  } finally {
    await holder.end()
  }
}

const idle: string[] = []

export type HarnessOptions = Omit<PostgresStorageOptions, 'url' | 'schema'>

/**
 * Returns the harness, with one schema per store. After a test case, a schema is emptied and used again, because
 * creating a schema takes most of the time of a short case. `url` leads to the server itself. If `poolerUrl` is given,
 * the stores connect through that pooler in front of the server. If `pool` is given, all stores use its connections.
 */
export const postgresHarness = (
  url: string,
  { poolerUrl, pool, ...options }: HarnessOptions & { readonly poolerUrl?: string; readonly pool?: PostgresPool } = {},
): StorageHarness => ({
  async open() {
    const schema = idle.pop() ?? `matchyard_${randomUUID().replaceAll('-', '')}`
    const door = new SideDoor(url, schema)
    const urls = poolerUrl === undefined ? { url } : { url: poolerUrl, listenUrl: url }
    const handles: Storage[] = []
    const open = async () => {
      const storage = postgresStorage(
        pool === undefined ? { ...urls, schema, poolSize: 4, ...options } : { pool, schema, ...options },
      )
      handles.push(storage)
      await storage.migrate()
      return storage
    }
    const closeAll = () => Promise.all(handles.splice(0).map((storage) => storage.close()))
    const storage = await open()
    let current = storage
    return {
      storage,
      backDoor: backDoorOf(door),
      another: open,
      async reopen() {
        await closeAll()
        current = await open()
        return current
      },
      holdOpen: (commit, during) => holdOpen(door, current, commit, during),
      async goBack(during) {
        const copy = await copySchema(door)
        await during()
        await door.query(`drop schema ${schema} cascade`)
        await door.query(`alter schema ${copy} rename to ${schema}`)
        return current
      },
      settle: () => waitUntilSettled(door),
      async dispose() {
        await closeAll()
        await empty(door)
        await door.end()
        idle.push(schema)
      },
    }
  },
})

/** Makes a second schema with the same rows, as a restored dump would. Returns the schema's name. */
async function copySchema(door: SideDoor): Promise<string> {
  const copy = `${door.schema}_copy`
  const storage = postgresStorage({ url: door.url, schema: copy, poolSize: 2 })
  await storage.migrate()
  await storage.close()
  const tables = await tablesOf(door)
  const filled = tables.map((name) => `delete from ${copy}.${name}; insert into ${copy}.${name} select * from ${name};`)
  await door.query(`do $$ begin ${filled.join(' ')} end $$`)
  await door.query(`select setval('${copy}.job_sequence_seq', nextval('job_sequence_seq'))`)
  return copy
}

async function tablesOf(door: SideDoor): Promise<string[]> {
  const tables = await door.query<{ name: string }>('select tablename as name from pg_tables where schemaname = $1', [
    door.schema,
  ])
  return tables.map(({ name }) => name)
}

const KEPT = ['schema_version', 'store']

async function empty(door: SideDoor): Promise<void> {
  const tables = (await tablesOf(door)).filter((name) => !KEPT.includes(name))
  await door.query(
    `do $$ begin ${tables.map((name) => `delete from ${name};`).join(' ')} update store set newest_instant = 0; end $$`,
  )
}
