import type { EntityKind } from '@matchyard/core/ports'
import type { ClientBase } from 'pg'
import { fromColumn, toColumn } from '../column-text'
import { send, together } from '../send'
import { commitStatements as statements } from '../statements/commits'
import { lockStatements } from '../statements/entities'
import type { Statement } from '../statements/statement'
import { ENTITY_TABLES } from '../tables'
import { BatchState } from './batch-state'
import { type Footprint, nameOf } from './footprint'

/**
 * Opens a transaction, locks the rows of the batch and reads the state against which its commits are checked, in one
 * round trip.
 */
export async function load(client: ClientBase, footprint: Footprint): Promise<BatchState> {
  const state = new BatchState()
  const { locks, claimedKeys, holders, counters, commitIds } = footprint
  const sent: Promise<void>[] = []
  const ask = <Row>(statement: Statement<Row>, values: readonly unknown[], found: (row: Row) => void = () => {}) => {
    const answer = send(client, statement, values)
    sent.push(answer.then(({ rows }) => rows.forEach((row) => void found(row))))
  }

  const askAll = () => {
    ask(statements.begin, [])
    for (const { kind, mode, ids } of locks) {
      const { counted } = ENTITY_TABLES[kind]
      ask(lockStatements[kind][mode], [ids.map(toColumn)], (row) => {
        const values = counted.map((column) => row[column] ?? null)
        state.found(nameOf(kind, fromColumn(String(row.id))), Number(row.version), values)
      })
    }
    if (claimedKeys.length > 0 || holders.length > 0) {
      const byHolder = [holders.map(({ id }) => toColumn(id)), holders.map(({ kind }) => kind)]
      ask(statements.keys, [claimedKeys.map(toColumn), ...byHolder], ({ key, kind, id }) => {
        state.foundKey(fromColumn(key), nameOf(kind as EntityKind, fromColumn(id)))
      })
    }
    if (counters.length > 0) {
      const ids = counters.map(toColumn)
      ask(statements.openCounters, [ids])
      ask(statements.lockCounters, [ids], ({ id, value }) => state.foundCounter(fromColumn(id), value))
    }
    // This query runs after the locks are taken. If the locks waited for an earlier transaction with the same commit,
    // the query finds that commit.
    ask(statements.findCommits, [commitIds.map(toColumn)], ({ id }) => state.foundCommit(fromColumn(id)))
  }
  together(client, askAll)
  await allOf(sent)
  return state
}

/** Waits for all answers, so that no answer is pending when the connection is used again. Throws the first failure. */
export async function allOf(sent: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(sent)) if (outcome.status === 'rejected') throw outcome.reason
}
