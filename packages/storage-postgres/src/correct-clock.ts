import type { Account, GameServer, Instant } from '@matchyard/core'
import {
  addedUp,
  type ClockCorrection,
  correctedEntity,
  type Entities,
  type EntityKind,
  StorageUnavailable,
  type UsageSum,
  usageCorrection,
} from '@matchyard/core/ports'
import { Client } from 'pg'
import { jsonList, toColumn } from './column-text'
import { connectionConfig, prepareSession } from './connections/session'
import { asUnavailable } from './failure'
import { requireCurrentSchema } from './migrate'
import { type PostgresStorageOptions, type Settings, withDefaults } from './options'
import { send } from './send'
import { commitStatements } from './statements/commits'
import { writeStatements } from './statements/entities'
import { statement } from './statements/statement'
import { totalStatements } from './statements/totals'
import { columnValues, ENTITY_TABLES, KINDS_IN_ORDER } from './tables'

/** Maximum number of rows that are in memory at the same time. */
const PAGE = 500

const OTHERS = statement<{ n: number }>(
  'correct_others',
  `select count(*) as n from pg_stat_activity
   where datname = current_database() and application_name = $1 and pid <> pg_backend_pid()`,
)

/**
 * Corrects the instants that were stored while the clock was ahead, in one transaction. Instants after `now`, up to the
 * newest instant of a commit, become `now`. Later instants, such as due times, are moved back by the difference between
 * that newest instant and `now`. Returns the newest instant before the correction, or undefined when it was not after
 * `now`. Throws StorageUnavailable with a message of one line, also while a node is running.
 */
export async function correctPostgresClock(
  options: PostgresStorageOptions,
  now: Instant,
): Promise<Instant | undefined> {
  const settings = withDefaults(options)
  const client = new Client(connectionConfig(settings))
  // The statement that waits for an answer on a broken connection reports the failure.
  client.on('error', () => {})
  try {
    await client.connect()
    await prepareSession(client, settings)
    await requireCurrentSchema(client, settings.schema)
    await requireAlone(client, settings)
    await client.query('begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
    const from = await correct(client, now)
    await client.query('commit')
    return from
  } catch (error) {
    throw asUnavailable(error)
  } finally {
    await client.end().catch(() => {})
  }
}

async function requireAlone(client: Client, { applicationName }: Settings): Promise<void> {
  const others = Number((await send(client, OTHERS, [applicationName])).rows[0]?.n ?? 0)
  if (others > 0)
    throw new StorageUnavailable(`PostgreSQL: ${others} connections of other nodes are open: stop them first`)
}

async function correct(client: Client, to: Instant): Promise<Instant | undefined> {
  const from = (await send(client, commitStatements.newestInstant, [])).rows[0]?.at ?? 0
  if (from <= to) return undefined
  await correctUsage(client, { from, to })
  for (const kind of KINDS_IN_ORDER) await correctEntities(client, kind, { from, to })
  for (const [table, column] of INSTANTS) {
    await client.query(`update ${table} set ${column} = ${correctedColumn(column)} where ${column} > $2`, [from, to])
  }
  // The holders of leases and claims have stopped, so these are released. Waiting times that were counted in later time
  // slots are deleted, because the slots are not valid.
  await client.query('delete from lease; update job set lease_until = null where lease_until is not null')
  await client.query('delete from match_wait where slot > $1', [to])
  await client.query('delete from history where slot > $1', [to])
  return from
}

/** Columns with instants in tables that hold no entities. Entities are corrected as a whole, with their columns. */
const INSTANTS = [
  ['job', 'run_at'],
  ['presence', 'at'],
  ['commit_log', 'at'],
  ['store', 'newest_instant'],
  ['ticket_change', 'removed_at'],
  ['stream_event', 'at'],
] as const

/** Returns the SQL form of the core's `correctedInstant`, for a column whose value is later than `to`. */
const correctedColumn = (column: string) =>
  `case when ${column} <= $1::bigint then $2::bigint else ${column} - ($1::bigint - $2::bigint) end`

const SUMMED = statement<{ id: string; summed: number; body: string; account: string | null }>(
  'correct_summed',
  `select server.id, summed, server.body, account.body as account
   from server left join account on account.id = server.account_id
   where server.id > $1 and running_at is not null and (stopped_at > $2 or summed = 0 and stopped_at is not null)
   order by server.id limit ${PAGE}`,
)

/**
 * Corrects the metered usage. Must run before servers and accounts are corrected. Also adds servers that older code
 * ended without adding their usage.
 */
async function correctUsage(client: Client, correction: ClockCorrection): Promise<void> {
  await client.query('delete from usage_sum where begins_at >= $1', [correction.to])
  let { rows } = await send(client, SUMMED, ['', correction.to])
  while (rows.length > 0) {
    const sums = rows.flatMap(({ body, summed, account }) => {
      const server: GameServer = JSON.parse(body)
      const { planHistory = [] }: Partial<Account> = JSON.parse(account ?? '{}')
      return usageCorrection(correction, server, planHistory, Number(summed) === 1)
    })
    await addUsage(client, addedUp(sums))
    rows = (await send(client, SUMMED, [rows.at(-1)?.id ?? '', correction.to])).rows
  }
  await client.query('update server set summed = 1 where summed = 0 and stopped_at is not null')
}

const addUsage = async (client: Client, sums: readonly UsageSum[]): Promise<void> =>
  void (await send(client, totalStatements.addUsage, [
    sums.map(({ accountId }) => toColumn(accountId)),
    sums.map(({ beginsAt }) => beginsAt),
    sums.map(({ projectId }) => toColumn(projectId)),
    sums.map(({ tier }) => tier),
    sums.map(({ seconds }) => seconds),
  ]))

async function correctEntities<K extends EntityKind>(
  client: Client,
  kind: K,
  correction: ClockCorrection,
): Promise<void> {
  const { table, columns } = ENTITY_TABLES[kind]
  const page = statement<{ id: string; body: string }>(
    `correct_${table}`,
    `select id, body from ${table} where id > $1 order by id limit ${PAGE}`,
  )
  let { rows } = await send(client, page, [''])
  while (rows.length > 0) {
    const changed = rows.flatMap(({ id, body }) => {
      const entity: Entities[K] = correctedEntity(correction, kind, JSON.parse(body))
      const after = JSON.stringify(entity)
      return after === body
        ? []
        : [{ id, name: entity.id, version: entity.version, columns: columnValues(kind, entity), body: after }]
    })
    if (changed.length > 0) {
      const versions = changed.map(({ version }) => version)
      await send(client, writeStatements[kind].update, [
        changed.map(({ id }) => id),
        versions,
        versions,
        ...columns.map((_, index) => changed.map((row) => row.columns[index] ?? null)),
        jsonList(changed.map(({ body }) => body)),
        changed.length,
      ])
      for (const { id, name } of changed) {
        if (toColumn(name) !== id) await client.query(`update ${table} set id = $1 where id = $2`, [toColumn(name), id])
      }
    }
    rows = (await send(client, page, [rows.at(-1)?.id ?? ''])).rows
  }
}
