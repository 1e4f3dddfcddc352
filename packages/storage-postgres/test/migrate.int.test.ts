import { type Migration, StorageUnavailable } from '@matchyard/core/ports'
import { Client } from 'pg'
import { expect, inject, test } from 'vitest'
import { connectionConfig, prepareSession } from '../src/connections/session'
import { migrate } from '../src/migrate'
import { MIGRATIONS } from '../src/migrations/index'
import { withDefaults } from '../src/options'
import { aLobby, putLobby } from './support/changes'
import { aStore } from './support/store'

const url = inject('databaseUrl')

/** What a node of a later version does as it starts. */
async function asNewerCode(schema: string, migrations: readonly Migration[]): Promise<void> {
  const settings = withDefaults({ url, schema })
  const client = new Client(connectionConfig(settings))
  await client.connect()
  await prepareSession(client, settings)
  await migrate(client, settings, migrations).finally(() => client.end())
}

test('eight nodes that migrate at once do it once, and all of them work', async () => {
  const { door, handle } = aStore(url)
  const nodes = Array.from({ length: 8 }, () => handle({ poolSize: 2 }))
  await Promise.all(nodes.map((node) => node.migrate()))
  expect(await door.query('select version from schema_version')).toEqual([{ version: MIGRATIONS.length }])
  const results = await Promise.all(nodes.map((node) => node.commit(putLobby(aLobby()))))
  expect(results).toEqual(nodes.map(() => ({ ok: true })))
})

test('a newer schema that does not bear this code is refused in one line, by migrate and by every call', async () => {
  const { door, handle, migrated, schema } = aStore(url)
  await migrated()
  await door.query('update schema_version set version = version + 1, oldest_code = version + 1')
  const older = handle()
  const known = MIGRATIONS.length
  const line = `PostgreSQL: schema ${schema} is at ${known + 1}, too new for this version, which knows ${known}: run a newer version of the service`
  await expect(older.migrate()).rejects.toEqual(new StorageUnavailable(line))
  await expect(older.get('lobby', 'lob_a')).rejects.toEqual(new StorageUnavailable(line))
  await door.query('update schema_version set version = version - 1')
  expect(await older.get('lobby', 'lob_a')).toBeUndefined()
})

test('a migration that bears this code is made under it, and it may start anew', async () => {
  const { door, handle, migrated, schema } = aStore(url)
  const running = await migrated()
  await running.commit(putLobby(aLobby()))
  const newer = [...MIGRATIONS, { sql: 'alter table lobby add column note text', bearsOlderCode: true }]
  await asNewerCode(schema, newer)
  const restarted = handle()
  await restarted.migrate()
  for (const node of [running, restarted]) expect(await node.commit(putLobby(aLobby()))).toEqual({ ok: true })
  expect(await door.query('select version from schema_version')).toEqual([{ version: newer.length }])
})

test('a migration that does not bear running nodes shuts them out: none of their calls reaches the new schema', async () => {
  const { door, migrated, schema } = aStore(url)
  const nodes = await Promise.all([migrated(), migrated()])
  const last: unknown[] = []
  let over = false
  const calls = nodes.map(async (node, index) => {
    while (!over) last[index] = await node.commit(putLobby(aLobby())).catch((error: unknown) => error)
  })
  // What old code writes into the new schema would stand out: the column says so.
  await asNewerCode(schema, [
    ...MIGRATIONS,
    { sql: 'alter table lobby add column is_old bool default true', bearsOlderCode: false },
    { sql: 'update lobby set is_old = false', bearsOlderCode: true },
  ]).finally(() => {
    over = true
  })
  await Promise.all(calls)
  expect(await door.query('select id from lobby where is_old')).toEqual([])
  expect(last).toEqual(nodes.map(() => expect.any(StorageUnavailable)))
  for (const node of nodes) await expect(node.ping()).rejects.toThrow('too new for this version')
})

test('a schema that was never migrated says so', async () => {
  const { handle } = aStore(url)
  await expect(handle().ping()).rejects.toThrow(/has seen 0 of \d+ migrations: migrate it first/)
})

test('the schema of another program is left alone', async () => {
  const { door, handle, schema } = aStore(url)
  await door.query(`create schema ${schema}`)
  await door.query('create table theirs (id int)')
  await expect(handle().migrate()).rejects.toThrow(`schema ${schema} holds the tables of another program`)
  const tables = await door.query('select tablename from pg_tables where schemaname = $1', [schema])
  expect(tables).toEqual([{ tablename: 'theirs' }])
})

test('a migration that fails leaves nothing behind', async () => {
  const { door, handle, schema } = aStore(url)
  await door.query(`create schema ${schema}`)
  // The name that the migration needs last is taken by something that is no table.
  await door.query('create view store as select 1 as one')
  await expect(handle().migrate()).rejects.toThrow('store')
  expect(await door.query('select from pg_tables where schemaname = $1', [schema])).toEqual([])
  await door.query('drop view store')
  await handle().migrate()
})

test('matches from before are given the status that their lobbies show, and nothing else of them changes', async () => {
  const { door, handle, migrated } = aStore(url)
  await migrated()
  // The migration changes rows only, so the schema before it is the one after it, without what later ones added.
  await door.query('alter table commit_log drop column project_id, drop column xid, drop column changed')
  await door.query('alter table store drop column forgotten')
  await door.query('alter table schema_version drop column oldest_code')
  await door.query('alter table lobby drop column free_seats, drop column labels')
  await door.query(
    'alter table match drop column labels, drop column project_id, drop column listed, drop column end_reason',
  )
  await door.query('drop index party_by_chance; create index ticket_by_chance on ticket (queue_key, right(id, 8))')
  await door.query('drop table cooldown')
  await door.query('drop table arrivals; drop table queue_version')
  await door.query('drop table webhook; drop table message; drop table delivery')
  await door.query('alter table server drop column line, drop column waiting_queue')
  await door.query('drop index server_live_by_node; drop index server_failed')
  await door.query('alter table queue drop column warm')
  await door.query('drop table installation; alter table build drop column disabled')
  await door.query('drop table usage_sum; alter table server drop column summed')
  await door.query(
    'alter table idempotency drop column created_at, drop column bytes, drop column owner_part, drop column group_part',
  )
  await door.query('update schema_version set version = 4')
  for (const [id, status] of [
    ['l1', 'matched'],
    ['l2', 'starting'],
    ['l3', 'in_game'],
    ['l4', 'waiting'],
  ]) {
    await door.query(`insert into lobby values ($1, 1, 'p', 'q', $2, '', 0, 1, 1, '{}')`, [id, status])
  }
  const bodies = {
    m1: '{"id":"m1","lobbyIds":["l1"],"endedAt":null,"settings":{"z":1,"a":"é"}}',
    m2: '{"id":"m2","lobbyIds":["l3","l2"],"endedAt":null}',
    m3: '{"id":"m3","lobbyIds":["l3"],"endedAt":null}',
    m4: '{"id":"m4","lobbyIds":[],"endedAt":null}',
    m5: '{"id":"m5","lobbyIds":["l4"],"endedAt":5}',
  }
  for (const [id, body] of Object.entries(bodies)) {
    await door.query(`insert into match values ($1, 3, 'p/q', 1, $2)`, [id, body])
  }
  await handle().migrate()
  const after = await door.query<{ id: string; body: string }>('select id, body from match order by id')
  expect(after.map(({ body }) => (JSON.parse(body) as { status: string }).status)).toEqual([
    'launching',
    'launching',
    'running',
    'running',
    'ended',
  ])
  for (const { id, body } of after) expect(body).toContain(bodies[id as keyof typeof bodies].slice(1))
})

test('arrivals from before are told in their order, with all that they held', async () => {
  const { door, handle, migrated } = aStore(url)
  await migrated()
  await door.query('alter table arrivals drop constraint arrivals_pkey')
  await door.query('alter table arrivals add primary key (id)')
  await door.query(
    `alter table arrivals add column queue_key text collate "C" not null, add column left_at bigint not null`,
  )
  await door.query('create index arrivals_by_queue on arrivals (queue_key, left_at, id) include (parties)')
  await door.query('alter table queue drop column warm')
  await door.query('drop table installation; alter table build drop column disabled')
  await door.query('drop table usage_sum; alter table server drop column summed')
  await door.query(
    'alter table idempotency drop column created_at, drop column bytes, drop column owner_part, drop column group_part',
  )
  await door.query('alter table match drop column end_reason')
  await door.query('update schema_version set version = 14')
  const arrival = {
    ...{ id: 'arr_x', lobbyId: 'lob_a', enteredAt: 900, outcome: 'matched', matchId: 'mat_a', region: null },
    players: [{ playerId: 'ann "the , fox" \\1 é', state: { mmr: 1_500.5 } }],
  }
  for (const [id, leftAt] of [
    ['arr_b', 2_000],
    ['arr_a', 2_000],
    ['arr_c', 1_000],
  ] as const) {
    const body = JSON.stringify({ id, version: 2, projectId: 'p', queueKey: 'p/q', leftAt, arrivals: [arrival] })
    await door.query(
      'insert into arrivals (id, version, queue_key, left_at, parties, body) values ($1, 2, $2, $3, 1, $4)',
      [id, 'p/q', leftAt, body],
    )
  }
  const storage = handle()
  await storage.migrate()
  const told = await storage.arrivals.list({ queueKey: 'p/q', since: 0, limit: 9, maxBytes: 1e6 })
  expect(told).toMatchObject(
    [
      [1_000, 'arr_c'],
      [2_000, 'arr_a'],
      [2_000, 'arr_b'],
    ].map(([leftAt, name]) => ({
      ...{ id: `p/q/${String(leftAt).padStart(15, '0')}/${name}`, leftAt, version: 2, arrivals: [arrival] },
    })),
  )
})
