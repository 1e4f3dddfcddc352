import type { ConsumedMessage, Match } from '@matchyard/core'
import { PortFailure } from './faults'

/** Name of the consumer that writes the table. */
export const TABLE_CONSUMER = 'table'

interface Row {
  /** Cursor of the last message that the table contains. */
  readonly cursor: number
  /** Last message of each type: its cursor, and the match. */
  readonly byType: ReadonlyMap<string, { readonly cursor: number; readonly match: ConsumedMessage['match'] }>
}

/**
 * Table of a studio, kept by the messages of a consumer. The table stores the highest cursor of each match with its own
 * data, so a repeated message changes nothing. Its transactions sometimes fail: every fifth before it changes the table,
 * every seventh after.
 */
export class StudioTable {
  /** Messages that came out of order, as sentences. */
  readonly faults: string[] = []
  private readonly rows = new Map<string, Row>()
  private calls = 0

  readonly handle = (message: ConsumedMessage): void => {
    this.calls++
    if (this.calls % 5 === 0) throw new PortFailure('simulated: the transaction failed')
    this.write(message)
    if (this.calls % 7 === 0) throw new PortFailure('simulated: the answer of the transaction was lost')
  }

  private write({ matchId, cursor, type, match }: ConsumedMessage): void {
    const row = this.rows.get(matchId)
    if (row !== undefined && cursor <= row.cursor) {
      // A node that stood still may hand over a message late, which another node handled, or replaced by a later one.
      const { cursor: handled } = row.byType.get(type) ?? { cursor: -1 }
      if (cursor > handled) this.faults.push(`${type} of ${matchId} at ${cursor} came after ${row.cursor}`)
      return
    }
    this.rows.set(matchId, { cursor, byType: new Map(row?.byType).set(type, { cursor, match }) })
  }

  /** Returns the facts about the matches that the table lacks, as sentences; for the end of a run. */
  missing(matches: Iterable<Match>): string[] {
    return [...matches].flatMap((match) => {
      const byType = this.rows.get(match.id)?.byType
      const lacks = (type: string) => byType?.get(type) === undefined
      const result = byType?.get('match.result')?.match.result
      return [
        ...(match.startedAt !== undefined && lacks('match.started') ? [`${match.id} began`] : []),
        ...(match.startedAt !== undefined && match.status === 'ended' && lacks('match.ended')
          ? [`${match.id} ended`]
          : []),
        ...(match.result !== undefined && versionOf(result) !== versionOf(match.result)
          ? [`${match.id} has a result`]
          : []),
      ]
    })
  }
}

/** Returns the parts of a result that an erasure does not change. */
const versionOf = (result: Match['result']): string =>
  JSON.stringify([result?.teams, result?.completed, result?.recordedAt, result?.amendedAt])
