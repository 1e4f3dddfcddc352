import { addedHistory, addedUp, addWaits, type HistoryCell, type UsageSum } from '@matchyard/core/ports'
import type { Call } from '../statements/statement'
import { totalStatements } from '../statements/totals'
import type { RowState } from './batch-state'
import type { PreparedCommit, PreparedWait } from './prepared'
import { ticketChanges, totalChanges } from './totals'

/** Returns the statements that add the changes of a batch to the stored totals. */
export function totalWrites(rows: readonly RowState[]): Call[] {
  const of = (kind: RowState['kind']) => rows.filter((row) => row.kind === kind)
  const calls: Call[] = []
  for (const [kind, statement, columns] of [
    ['lobby', totalStatements.addLobbies, 5],
    ['server', totalStatements.addServers, 3],
  ] as const) {
    const changes = totalChanges(of(kind))
    if (changes.length === 0) continue
    const lists = Array.from({ length: columns }, (_, index) => changes.map(({ values }) => values[index]))
    calls.push([statement, [...lists, changes.map(({ n }) => n)]])
  }
  const tickets = ticketChanges(of('ticket'))
  if (tickets.length > 0) {
    calls.push([
      totalStatements.addTickets,
      [
        tickets.map(({ queueKey }) => queueKey),
        tickets.map(({ parties }) => parties),
        tickets.map(({ players }) => players),
      ],
    ])
  }
  return calls
}

/**
 * Returns the statements that add the figures of a batch to the statistics of the queues. The rows are sorted, so that
 * all batches lock them in one order.
 */
export function waitWrites(commits: readonly PreparedCommit[]): Call[] {
  const cells = new Map<string, PreparedWait>()
  for (const wait of commits.flatMap(({ waits }) => waits)) {
    const key = JSON.stringify([wait.queueKey, wait.players, wait.bucket, wait.slot])
    cells.set(key, addWaits(cells.get(key), wait))
  }
  if (cells.size === 0) return []
  const sorted = [...cells].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, cell]) => cell)
  const list = <K extends keyof PreparedWait>(name: K) => sorted.map((cell) => cell[name])
  const lists = [list('queueKey'), list('players'), list('bucket'), list('slot'), list('count'), list('leastMs')]
  return [[totalStatements.addWaits, [...lists, list('mostMs')]]]
}

/**
 * Returns the statements that add to the metered usage of accounts. The rows are sorted, so that all batches lock them
 * in one order.
 */
export function usageWrites(commits: readonly PreparedCommit[]): Call[] {
  const sums = addedUp(commits.flatMap(({ usage }) => usage))
  if (sums.length === 0) return []
  const list = <K extends keyof UsageSum>(name: K) => sums.map((sum) => sum[name])
  const lists = [list('accountId'), list('beginsAt'), list('projectId'), list('tier'), list('seconds')]
  return [[totalStatements.addUsage, lists]]
}

/**
 * Returns the statements that add to the history. The rows are sorted, so that all batches lock them in one order.
 */
export function historyWrites(commits: readonly PreparedCommit[]): Call[] {
  const cells = addedHistory(commits.flatMap(({ history }) => history))
  if (cells.length === 0) return []
  const list = <K extends keyof HistoryCell>(name: K) => cells.map((cell) => cell[name])
  const place = [list('step'), list('slot'), list('projectId'), list('series'), list('queueId'), list('key')]
  return [[totalStatements.addHistory, [...place, list('count'), list('sum'), list('most')]]]
}
