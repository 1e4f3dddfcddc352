import type { Outcome } from './run'

type Row = readonly [label: string, value: (outcome: Outcome) => string]

const seconds = (value: number | null) => (value === null ? '–' : `${value.toFixed(2)} s`)
const number = (value: number | null) => (value === null ? '–' : value.toFixed(1))
const whole = (value: number) => Math.round(value).toLocaleString('en-US')

const ROWS: readonly Row[] = [
  ['parties', ({ parties }) => whole(parties)],
  ['players', ({ players }) => whole(players)],
  ['matches', ({ matches }) => whole(matches)],
  ['matches per minute', ({ matchesPerMinute }) => number(matchesPerMinute)],
  ['unmatched parties', ({ unmatchedShare }) => `${(100 * unmatchedShare).toFixed(2)} %`],
  ['wait p50', ({ waitSeconds }) => seconds(waitSeconds.p50)],
  ['wait p90', ({ waitSeconds }) => seconds(waitSeconds.p90)],
  ['wait p99', ({ waitSeconds }) => seconds(waitSeconds.p99)],
]

const LAST_ROWS: readonly Row[] = [
  ['team gap, mean', ({ teamGap }) => number(teamGap.mean)],
  ['team gap, p90', ({ teamGap }) => number(teamGap.p90)],
  ['simulated time', ({ simulatedSeconds }) => seconds(simulatedSeconds)],
]

const spreadRows = (outcomes: readonly Outcome[]): Row[] =>
  [...new Set(outcomes.flatMap(({ spread }) => Object.keys(spread)))].flatMap((field): Row[] => [
    [`${field} spread, mean`, ({ spread }) => number(spread[field]?.mean ?? null)],
    [`${field} spread, p90`, ({ spread }) => number(spread[field]?.p90 ?? null)],
  ])

/** One column a run. */
export function table(outcomes: readonly Outcome[]): string {
  const rows = [...ROWS, ...spreadRows(outcomes), ...LAST_ROWS]
  const lines = [
    ['', ...outcomes.map(({ scenario }) => scenario)],
    ...rows.map(([label, value]) => [label, ...outcomes.map(value)]),
  ]
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length))) ?? []
  return lines
    .map((line) =>
      line
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('   '),
    )
    .join('\n')
}

/** The same figures for programs. */
export const figuresOf = ({ timelines: _, ...figures }: Outcome) => figures
