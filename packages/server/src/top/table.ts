import type { Kind, TopNow, TopRow } from './top'

/** Maximum number of rows, so that the table fits into a terminal. */
const SHOWN = 20
/** Maximum number of shown characters of a caller's name. */
const MAX_NAME = 64

const HEADS = ['calls/s', '1 min', 'refused/s', 'time', 'in/s', 'out/s', 'streams', 'waiting'] as const

/** Returns a table of the busiest callers as lines of text for a terminal. */
export function tableOf({ cpu, rows }: TopNow, kind: Kind): string {
  const lines = rows[kind].slice(0, SHOWN).map((row) => [nameOf(row), ...cellsOf(row)])
  const table = [[kind, ...HEADS], ...lines]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0))) ?? []
  const text = table.map((cells) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  )
  return `processor ${percent(cpu)}\n${text.join('\n')}\n`
}

function cellsOf({ last_10_s: now, last_minute: minute, open_streams, waiting_bytes }: TopRow): string[] {
  return [
    now.calls_per_second.toFixed(1),
    minute.calls_per_second.toFixed(1),
    now.refused_per_second.toFixed(1),
    percent(now.time_share),
    bytes(now.bytes_in_per_second),
    bytes(now.bytes_out_per_second),
    String(open_streams),
    bytes(waiting_bytes),
  ]
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`

const UNITS = ['B', 'kB', 'MB', 'GB'] as const

function bytes(count: number): string {
  const power = Math.min(UNITS.length - 1, count < 1 ? 0 : Math.floor(Math.log10(count) / 3))
  return `${(count / 1_000 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`
}

/**
 * Returns the name of a row for a terminal. A name may come from a request's header, so all characters outside
 * printable ASCII are escaped.
 */
function nameOf({ name }: TopRow): string {
  if (name === null) return '(no good credential)'
  const shown = name.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return shown.length <= MAX_NAME ? shown : `${shown.slice(0, MAX_NAME - 1)}…`
}
