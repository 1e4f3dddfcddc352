import type { CommitResult } from '@matchyard/core/ports'
import { toColumn } from '../column-text'
import type { Database } from '../database'
import { isConnectionLoss, isRace } from '../failure'
import { send } from '../send'
import { commitStatements as statements } from '../statements/commits'
import { composed } from '../statements/composed'
import { assertStatements } from '../statements/entities'
import type { Call } from '../statements/statement'
import { KINDS_IN_ORDER } from '../tables'
import { BatchState } from './batch-state'
import { nameOf } from './footprint'
import { judge } from './judge'
import type { PreparedCommit } from './prepared'
import { LostInCommit } from './run-batch'
import { writesOf } from './write'

/**
 * Writes a batch that only inserts new entities (a lobby, a ticket, a session) in one statement, without reading first.
 * The statement asserts the expectations of the commits, and fails as a whole when one of them is not met. Returns
 * undefined after such a failure, and for every other kind of batch. Nothing was applied then, and the caller must read
 * the rows before it writes.
 */
export async function runUnseen(
  database: Database,
  commits: readonly PreparedCommit[],
): Promise<CommitResult[] | undefined> {
  if (!commits.every(onlyPutsNew)) return undefined
  const state = new BatchState()
  for (const { kind, id, expected } of commits.flatMap(({ checks }) => checks)) {
    if (expected !== 'absent') state.found(nameOf(kind, id), expected, [])
  }
  const results = commits.map((commit) => judge(state, commit))
  if (!results.every(({ ok }) => ok)) return undefined

  const call = composed([...assertions(state.accepted), ...counterWrites(state.accepted), ...writesOf(state)])
  if (call === undefined) return undefined
  return database.withConnection(async (client) => {
    try {
      await send(client, ...call)
      return results
    } catch (error) {
      if (isConnectionLoss(error)) throw new LostInCommit(error)
      if (isRace(error)) return undefined
      throw error
    }
  })
}

const onlyPutsNew = ({ checks, writes }: PreparedCommit) =>
  writes.every(({ expected, form }) => expected === 'absent' && form !== undefined) &&
  checks.every(({ expected }) => expected !== 'absent')

/**
 * Returns the statements that assert the checks of the commits, by kind of entity, in the order in which every batch
 * locks.
 */
function assertions(commits: readonly PreparedCommit[]): Call[] {
  const checks = new Map(
    commits.flatMap((commit) => commit.checks.map((check) => [nameOf(check.kind, check.id), check] as const)),
  )
  return KINDS_IN_ORDER.flatMap((kind): Call[] => {
    const asked = [...checks.values()].filter((check) => check.kind === kind).sort((a, b) => (a.id < b.id ? -1 : 1))
    if (asked.length === 0) return []
    const ids = asked.map(({ id }) => toColumn(id))
    return [[assertStatements[kind], [ids, asked.map(({ expected }) => expected), asked.length]]]
  })
}

/**
 * Returns the statements that add to the counters and assert their limits. The asserted limit of a counter is the
 * highest final value at which every commit, in the order of the batch, stays within its own limit.
 */
function counterWrites(commits: readonly PreparedCommit[]): Call[] {
  const added = new Map<string, number>()
  const room = new Map<string, number>()
  for (const { id, add, atMost } of commits.flatMap(({ counters }) => counters)) {
    const sum = (added.get(id) ?? 0) + add
    added.set(id, sum)
    if (atMost !== undefined) room.set(id, Math.min(room.get(id) ?? Number.POSITIVE_INFINITY, atMost - sum))
  }
  const changed = [...added.keys()].filter((id) => added.get(id) !== 0 || room.has(id)).sort()
  if (changed.length === 0) return []
  const calls: Call[] = [[statements.addAndTell, [changed.map(toColumn), changed.map((id) => added.get(id))]]]
  const limited = changed.filter((id) => room.has(id))
  if (limited.length > 0) {
    const most = limited.map((id) => (room.get(id) ?? 0) + (added.get(id) ?? 0))
    calls.push([statements.assertLimits, [limited.map(toColumn), most]])
  }
  return calls
}
