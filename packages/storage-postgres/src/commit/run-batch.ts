import { type CommitResult, OutcomeUnknown } from '@matchyard/core/ports'
import type { PoolClient } from 'pg'
import type { Database } from '../database'
import { isConnectionLoss } from '../failure'
import { send } from '../send'
import { commitStatements } from '../statements/commits'
import { footprintOf } from './footprint'
import { judge } from './judge'
import { load } from './load'
import type { PreparedCommit } from './prepared'
import { writeBatch } from './write'

/** Thrown when the connection was lost during COMMIT: it is unknown whether the accepted commits were applied. */
export class LostInCommit extends Error {
  constructor(cause: unknown) {
    super('the connection was lost in COMMIT', { cause })
  }
}

/**
 * Applies a batch in one transaction of two round trips: first lock and read, then write and commit. Returns the result
 * of each commit. Throws LostInCommit when the outcome is unknown, and the driver's own error when nothing was applied.
 */
export function runBatch(database: Database, commits: readonly PreparedCommit[]): Promise<CommitResult[]> {
  return database.withConnection(async (client) => {
    const state = await loadOrRollBack(client, commits)
    const results = commits.map((commit) => judge(state, commit))
    if (state.accepted.length === 0) {
      await send(client, commitStatements.rollback, [])
      return results
    }
    try {
      await writeBatch(client, state)
    } catch (error) {
      // After a failed statement the transaction was certainly rolled back; after a lost connection the outcome is
      // unknown.
      throw isConnectionLoss(error) ? new LostInCommit(error) : error
    }
    return results
  })
}

async function loadOrRollBack(client: PoolClient, commits: readonly PreparedCommit[]) {
  try {
    return await load(client, footprintOf(commits))
  } catch (error) {
    if (!isConnectionLoss(error)) await send(client, commitStatements.rollback, [])
    throw error
  }
}

export const outcomeUnknown = (commit: PreparedCommit, lost: LostInCommit): OutcomeUnknown =>
  new OutcomeUnknown(commit.id, { cause: lost })
