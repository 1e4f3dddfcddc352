import type { History } from '@matchyard/client/admin'
import { type Read, useProject, useRead } from './hooks'
import { route, setQueries } from './route'
import { type ChartTime, chartTimeOf, type RangeId, type SeriesName } from './slots'

/** Returns the time of the charts, which the address names. */
export const useChartTime = (fallback?: RangeId): ChartTime => chartTimeOf(route.value.query, fallback)

/** Puts the time of the charts into the address. */
export function setChartTime({ range, until }: ChartTime): void {
  setQueries({ range: range.id, until: until === undefined ? '' : `${new Date(until).toISOString().slice(0, 16)}Z` })
}

/** Milliseconds between two reads of the figures. */
const EVERY_MS = 60_000

/**
 * Reads series of the project or of one queue, for the time in the address. The read is repeated once a minute while
 * the page is visible, unless the time has a fixed end.
 */
export function useHistory(
  series: readonly SeriesName[],
  { range, until }: ChartTime,
  queueId?: string,
): Read<History> {
  const { admin } = useProject()
  return useRead(
    () => {
      const to = until ?? Date.now()
      return admin.metrics.get({
        series: series.join(','),
        queueId,
        from: new Date(to - range.ms).toISOString(),
        to: until === undefined ? undefined : new Date(to).toISOString(),
      })
    },
    [admin, series.join(), range.id, until, queueId],
    until === undefined ? { every: EVERY_MS } : {},
  )
}
