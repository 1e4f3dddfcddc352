import {
  type AnyEntity,
  type Commit,
  type CommitResult,
  type EntityKind,
  type Put,
  queueKey,
  uniqueKeysOf,
  type Write,
  waitCellsOf,
} from '@matchyard/core/ports'
import { type CurrentRow, FIRST_COLUMN } from '../statements/entities'
import type { Statements } from '../statements/index'
import { type ColumnValue, ENTITY_TABLES, type EntityTable } from '../statements/tables'
import { addEvent } from './add-event'
import type { CommitTexts } from './commit-texts'
import { findConflict } from './find-conflict'
import type { Group } from './group'
import type { GroupTally } from './group-tally'
import { forgetPastBounds } from './kept-records'
import { keepLabels } from './labels'

/** Checks a commit in full, then writes it; runs inside a group's transaction. */
export function applyCommit(statements: Statements, commit: Commit, texts: CommitTexts, group: Group): CommitResult {
  const { commits } = statements
  const { known, tally } = group
  const found = findConflict(statements, commit, group)
  // A commit that is sent again usually conflicts with the rows that it wrote the first time; it then counts as
  // applied.
  if ('on' in found) {
    return commits.findCommit.get(commit.id) === undefined ? { ok: false, conflict: found } : { ok: true }
  }
  if (commits.logCommit.run(commit.id, commit.at).changes === 0) return { ok: true }

  // All keys are freed before any key is claimed, so that a key can move between the entities of one commit.
  for (const key of found.freed) commits.freeKey.run(key)
  for (const [key, { kind, id }] of found.claimed) commits.claimKey.run(key, kind, id)
  for (const [index, write] of commit.writes.entries()) {
    applyWrite(statements, write, found.rows[index], commit.at, texts, tally)
    known.pend(
      write.kind,
      write.id,
      'put' in write ? { text: texts.of(write.put), version: write.put.version } : undefined,
    )
  }
  tally.logChanges(commit, found.rows)
  tally.setSums(found.sums)
  for (const { queueKey: queue, players, bucket, slot, count, leastMs, mostMs } of commit.figures ?? []) {
    commits.addWait.run(queue, players, bucket, slot, count, leastMs, mostMs)
  }
  for (const { accountId, beginsAt, projectId, tier, seconds } of commit.usage ?? []) {
    commits.addUsage.run(accountId, beginsAt, projectId, tier, seconds)
  }
  for (const { step, slot, projectId, series, queueId, key, count, sum, most } of commit.history ?? []) {
    commits.addHistory.run(step, slot, projectId, series, queueId, key, count, sum, most)
  }
  for (const event of commit.events) addEvent(statements, event, texts.of(event.lobby))
  for (const { id, kind, runAt, tenant, payload } of commit.jobs) {
    commits.putJob.run(id, kind, runAt, tenant, texts.of(payload))
  }
  return { ok: true }
}

function applyWrite(
  all: Statements,
  write: Write,
  row: CurrentRow | undefined,
  at: number,
  texts: CommitTexts,
  tally: GroupTally,
): void {
  const { entities, commits, labels } = all
  const { kind, id } = write
  const statements = entities[kind]
  // The queue key is the first column of a ticket's row.
  if (kind === 'ticket' && row !== undefined) commits.markTicket.run(String(row[FIRST_COLUMN]), id, at)
  if (!('put' in write)) {
    if (row !== undefined) statements.remove.run(row[0])
    tally.count(kind, row, undefined)
    keepLabels(labels, kind, id, row, undefined)
    if (kind === 'lobby' || kind === 'server') commits.forgetPresence.run(id)
    return
  }
  const { version } = write.put
  const { keys, columns } = columnsOf(write.kind, write.put)
  const body = texts.of(write.put)
  tally.count(kind, row, columns)
  keepLabels(labels, kind, id, row, columns)
  if (write.kind === 'match') {
    const queue = queueKey(write.put.projectId, write.put.queueId)
    for (const { players, bucket, slot, count, leastMs, mostMs } of waitCellsOf(write.put)) {
      commits.addWait.run(queue, players, bucket, slot, count, leastMs, mostMs)
    }
  }
  if (row === undefined) statements.insert.run(id, version, ...keys, ...columns, body)
  else {
    const own = [...keys, ...columns]
    const places = changedPlaces(row.slice(FIRST_COLUMN - keys.length), own)
    statements.update(places).run(version, ...places.map((place) => own[place] ?? null), body, row[0])
  }
  if (write.kind === 'ticket') commits.markTicket.run(write.put.queueKey, id, null)
  if (write.kind === 'idempotency') forgetPastBounds(all, write.put, at)
}

/** Returns the positions of the columns whose values changed. */
function changedPlaces(before: readonly ColumnValue[], after: readonly ColumnValue[]): number[] {
  const places: number[] = []
  for (let place = 0; place < after.length; place++) if (before[place] !== after[place]) places.push(place)
  return places
}

/**
 * Returns the values of an entity's row besides id, version and body: the unique keys as JSON (empty for a kind without
 * unique keys), and the columns.
 */
export function columnsOf(
  kind: EntityKind,
  put: Put['put'],
): { keys: readonly ColumnValue[]; columns: readonly ColumnValue[] } {
  // `put` is an entity of this kind, but the compiler cannot tell this from the table.
  const table = ENTITY_TABLES[kind] as EntityTable<EntityKind>
  const columns = table.values(put)
  if (!table.keyed) return { keys: [], columns }
  const keys = [...new Set(uniqueKeysOf({ kind, value: put } as AnyEntity))]
  return { keys: [keys.length === 0 ? null : JSON.stringify(keys)], columns }
}
