import { numericFields } from '@matchyard/matchmaking'
import type { MatchTeam } from '../match/match'
import { type HistoryCell, minuteCell } from '../ports/storage/index'
import { engineConfig } from '../queue/matchmaking'
import type { Queue } from '../queue/queue'
import { spreadKey } from '../reads/spread-buckets'
import type { Instant } from '../shared/time'

/** Maximum number of fields of a queue whose spreads are counted: the first numeric fields of its rules. */
export const SPREAD_FIELDS = 4

/** Returns the rows of the history that a match of the queue adds: the spread of each numeric field of the queue's rules. */
export function spreadCells(
  queue: Pick<Queue, 'projectId' | 'queueId' | 'matchmaking' | 'serverSettings'>,
  teams: readonly MatchTeam[],
  at: Instant,
): HistoryCell[] {
  const { projectId, queueId } = queue
  return numericFields(engineConfig(queue))
    .slice(0, SPREAD_FIELDS)
    .flatMap((field) => {
      const spread = spreadOf(teams, field)
      if (spread === undefined) return []
      const key = spreadKey(field, spread)
      return [minuteCell(at, { projectId, queueId, series: 'spread', key, count: 1, sum: 0, most: 0 })]
    })
}

/** Returns the spread of a field in a match; undefined when no player has the field. */
function spreadOf(teams: readonly MatchTeam[], field: string): number | undefined {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { players } of teams) {
    for (const { state } of players) {
      const value = Object.hasOwn(state, field) ? state[field] : undefined
      if (typeof value !== 'number') continue
      least = Math.min(least, value)
      most = Math.max(most, value)
    }
  }
  return least > most ? undefined : most - least
}
