import type { Outcome, UnmatchedReason } from '@matchyard/matchmaking/simulation'

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

/** Number of rows before the rows of the reasons: the rows up to and including the share of unmatched parties. */
const UNMATCHED = 5

const share = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(2)} %`)

const ASKED_ROWS: readonly Row[] = [
  ['proposals', ({ readyCheck: asked }) => (asked === undefined ? '–' : whole(asked.proposals))],
  ['  accepted', ({ readyCheck: asked }) => (asked === undefined ? '–' : share(asked.accepted, asked.proposals))],
  ['  declined', ({ readyCheck: asked }) => (asked === undefined ? '–' : share(asked.declined, asked.proposals))],
  ['  not answered', ({ readyCheck: asked }) => (asked === undefined ? '–' : share(asked.expired, asked.proposals))],
  ['  parties that left', ({ readyCheck: asked }) => (asked === undefined ? '–' : whole(asked.partiesLeft))],
]

const PLAYED_ROWS: readonly Row[] = [
  ['matches that lost a player', ({ played }) => (played === undefined ? '–' : whole(played.lostPlayer))],
  ['  seats filled', ({ played }) => (played === undefined ? '–' : share(played.seatsFilled, played.seatsAsked))],
  ['  seat open p50', ({ played }) => seconds(played?.seatWaitSeconds.p50 ?? null)],
  ['  seat open p90', ({ played }) => seconds(played?.seatWaitSeconds.p90 ?? null)],
  ['matches that waited for room', ({ played }) => (played === undefined ? '–' : whole(played.waitedForRoom))],
  ['  in vain', ({ played }) => (played === undefined ? '–' : whole(played.failedForRoom))],
  ['  room p50', ({ played }) => seconds(played?.roomWaitSeconds.p50 ?? null)],
  ['  room p90', ({ played }) => seconds(played?.roomWaitSeconds.p90 ?? null)],
]

const LAST_ROWS: readonly Row[] = [
  ['team gap, mean', ({ teamGap }) => number(teamGap.mean)],
  ['team gap, p90', ({ teamGap }) => number(teamGap.p90)],
  ['simulated time', ({ simulatedSeconds }) => seconds(simulatedSeconds)],
]

const OTHERWISE = { alone: 'nobody beside', sizes: 'uneven sides', places: 'too few beside' } as const

const named = ({ reason, type, field }: UnmatchedReason): string =>
  reason === 'rule' ? [type, field].filter(Boolean).join(' ') : OTHERWISE[reason]

/**
 * Returns a row for each frequent reason why parties were unmatched, the most frequent first. The value is the share of
 * the examined parties.
 */
const reasonRows = (outcomes: readonly Outcome[]): Row[] => {
  const names = new Set(outcomes.flatMap(({ unmatched }) => unmatched.reasons.slice(0, REASONS).map(named)))
  return [...names].map(
    (name): Row => [
      `  for ${name}`,
      ({ unmatched: { reasons, asked } }) =>
        share(reasons.find((reason) => named(reason) === name)?.parties ?? 0, asked),
    ],
  )
}
const REASONS = 5

const spreadRows = (outcomes: readonly Outcome[]): Row[] =>
  [...new Set(outcomes.flatMap(({ spread }) => Object.keys(spread)))].flatMap((field): Row[] => [
    [`${field} spread, mean`, ({ spread }) => number(spread[field]?.mean ?? null)],
    [`${field} spread, p90`, ({ spread }) => number(spread[field]?.p90 ?? null)],
  ])

/** Returns the table of the results, with one column per run. */
export function table(outcomes: readonly Outcome[]): string {
  const asked = outcomes.some(({ readyCheck }) => readyCheck !== undefined) ? ASKED_ROWS : []
  const played = outcomes.some((outcome) => outcome.played !== undefined) ? PLAYED_ROWS : []
  const rows = [
    ...ROWS.slice(0, UNMATCHED),
    ...reasonRows(outcomes),
    ...ROWS.slice(UNMATCHED),
    ...spreadRows(outcomes),
    ...asked,
    ...played,
    ...LAST_ROWS,
  ]
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

/** Returns the results of a run as an object for programs, without the timelines. */
export const figuresOf = ({ timelines: _, ...figures }: Outcome) => figures
