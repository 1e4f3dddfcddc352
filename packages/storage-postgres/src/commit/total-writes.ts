import type { Call } from '../statements/statement'
import { totalStatements } from '../statements/totals'
import type { RowState } from './batch-state'
import { ticketChanges, totalChanges } from './totals'

/** The differences that a batch makes to the kept totals. */
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
