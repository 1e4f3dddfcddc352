import type { Draft } from '../commit/draft'
import type { Ports } from '../ports/ports'
import { type HistoryPlace, historyPlaceAt, type InstallationMark } from '../ports/storage/index'
import type { Instant } from '../shared/time'

/** Progress of the roll-up. Each commit of the roll-up writes it together with the rows. */
export interface HistoryProgress {
  /** Place of the last row of a minute that was added to the longer steps. */
  readonly rolled?: HistoryPlace
  /** Minute that was sampled last, and the name of the last sample (`samplesNow`), at first always a queue; null after the last sample. */
  readonly sampled?: { readonly slot: Instant; readonly queueKey: string | null }
}

/** Stored progress: the row that the next progress replaces, and its value. */
export interface HistoryMark {
  readonly row: InstallationMark | undefined
  readonly value: HistoryProgress
}

/** Id of the row, among the facts that an installation stores about itself. */
const MARK = 'history'

export async function readMark(ctx: Ports): Promise<HistoryMark> {
  const row = await ctx.storage.get('installation', MARK)
  return { row, value: row === undefined ? {} : (JSON.parse(row.value) as HistoryProgress) }
}

/** Writes the progress. The commit of the draft is refused when another node wrote progress meanwhile. */
export function writeMark(draft: Draft, { row }: HistoryMark, value: HistoryProgress): HistoryMark {
  const next = { id: MARK, value: JSON.stringify(value) }
  return {
    row:
      row === undefined
        ? draft.create('installation', { ...next, version: 1 })
        : draft.update('installation', row, next),
    value,
  }
}

/** Returns the place after which rows are rolled up. A place after `before` comes from a clock that was ahead. */
export function markAt({ value: { rolled } }: HistoryMark, before: Instant): HistoryPlace {
  if (rolled === undefined) return historyPlaceAt(0)
  return rolled.slot > before ? historyPlaceAt(before) : rolled
}
