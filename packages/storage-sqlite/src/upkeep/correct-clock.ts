import type { Account, GameServer, Instant } from '@matchyard/core'
import {
  type ClockCorrection,
  correctedEntity,
  ENTITY_KINDS,
  type Entities,
  type EntityKind,
  usageCorrection,
} from '@matchyard/core/ports'
import type { Database } from 'better-sqlite3'
import { columnsOf } from '../commit/apply-commit'
import { openConnection } from '../connection'
import { asUnavailable } from '../failure'
import { BEGIN_LOG } from '../log/log-marks'
import { requireCurrentSchema } from '../migrations/migrate'
import { commitStatements, NEWEST_INSTANT } from '../statements/commits'
import { entityStatements } from '../statements/entities'
import { ENTITY_TABLES } from '../statements/tables'

/** Maximum number of rows that are in memory at the same time. */
const PAGE = 500

/**
 * Corrects all instants that were stored while the clock was ahead of `now`, in one transaction. Returns the newest
 * instant before the correction; undefined when no instant is after `now`. Throws StorageUnavailable with a message of
 * one line, also when a service runs on the file.
 */
export function correctSqliteClock(path: string, now: Instant): Instant | undefined {
  const connection = openConnection({ path })
  try {
    const { db } = connection
    requireCurrentSchema(db, path)
    db.pragma('synchronous = full')
    // Closing the file copies the log into it. The last service may have ended directly after it marked its log as
    // ended, so the next log must be marked as begun.
    db.exec(BEGIN_LOG)
    return db.transaction(() => correct(db, now)).immediate()
  } catch (error) {
    throw asUnavailable(error, path)
  } finally {
    connection.close()
  }
}

function correct(db: Database, to: Instant): Instant | undefined {
  const from = db.prepare<[], number>(NEWEST_INSTANT).pluck().get() ?? 0
  if (from <= to) return undefined
  const correction = { from, to }
  correctUsage(db, correction)
  for (const kind of ENTITY_KINDS) correctEntities(db, kind, correction)
  for (const [table, column] of INSTANTS) {
    db.prepare<[ClockCorrection]>(
      `update ${table} set ${column} = ${correctedColumn(column)} where ${column} > @to`,
    ).run(correction)
  }
  // The holders of leases and claims have ended, so these are released. Counts of later time slots are not valid, so
  // they are deleted.
  db.exec('delete from lease; update job set lease_until = null where lease_until is not null')
  db.prepare<[number]>('delete from match_wait where slot > ?').run(to)
  db.prepare<[number]>('delete from history where slot > ?').run(to)
  return from
}

/**
 * Columns with instants in tables that have no entities. The columns of entities are written together with their
 * bodies.
 */
const INSTANTS = [
  ['job', 'run_at'],
  ['presence', 'at'],
  ['commit_log', 'at'],
  ['change', 'at'],
  ['store', 'newest_instant'],
  ['ticket_change', 'removed_at'],
  ['stream_event', 'at'],
] as const

/** Returns the SQL form of the core's `correctedInstant`, for a column whose values are after `to`. */
const correctedColumn = (column: string) => `case when ${column} <= @from then @to else ${column} - (@from - @to) end`

/**
 * Corrects the metered seconds, before servers and accounts are corrected. Also adds servers that ended under an
 * earlier version.
 */
function correctUsage(db: Database, correction: ClockCorrection): void {
  const { addUsage } = commitStatements(db)
  const account = db.prepare<[string], string>('select body from account where id = ?').pluck()
  const page = db.prepare<[number, number], { rowid: number; summed: number; body: string }>(
    `select rowid, summed, body from server where rowid > ? and running_at is not null
     and (stopped_at > ? or summed = 0 and stopped_at is not null) order by rowid limit ${PAGE}`,
  )
  db.prepare<[number]>('delete from usage_sum where begins_at >= ?').run(correction.to)
  for (let rows = page.all(0, correction.to); rows.length > 0; ) {
    for (const { body, summed } of rows) {
      const server: GameServer = JSON.parse(body)
      const { planHistory = [] }: Partial<Account> = JSON.parse(account.get(server.accountId) ?? '{}')
      const sums = usageCorrection(correction, server, planHistory, summed === 1)
      for (const { accountId, beginsAt, projectId, tier, seconds } of sums)
        addUsage.run(accountId, beginsAt, projectId, tier, seconds)
    }
    rows = page.all(rows.at(-1)?.rowid ?? 0, correction.to)
  }
  db.exec('update server set summed = 1 where summed = 0 and stopped_at is not null')
}

function correctEntities<K extends EntityKind>(db: Database, kind: K, correction: ClockCorrection): void {
  const { table } = ENTITY_TABLES[kind]
  const page = db.prepare<[number], { rowid: number; id: string; body: string }>(
    `select rowid, id, body from ${table} where rowid > ? order by rowid limit ${PAGE}`,
  )
  const { update } = entityStatements(db)[kind]
  const rename = db.prepare<[string, number]>(`update ${table} set id = ? where rowid = ?`)
  for (let rows = page.all(0); rows.length > 0; rows = page.all(rows.at(-1)?.rowid ?? 0)) {
    for (const { rowid, id, body } of rows) {
      const entity: Entities[K] = correctedEntity(correction, kind, JSON.parse(body))
      const after = JSON.stringify(entity)
      if (after === body) continue
      const { keys, columns } = columnsOf(kind, entity)
      const own = [...keys, ...columns]
      update([...own.keys()]).run(entity.version, ...own, after, rowid)
      if (entity.id !== id) rename.run(entity.id, rowid)
    }
  }
}
