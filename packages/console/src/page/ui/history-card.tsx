import './history.css'
import type { History } from '@matchyard/client/admin'
import { useMemo } from 'preact/hooks'
import { marksWithin } from '../data/bounded'
import type { Mark, MarkKind } from '../data/marks'
import type { SeriesName } from '../data/slots'
import { Card } from './card'
import { Chart } from './chart'
import { historyLines } from './history-lines'
import type { ChartMark, SeriesTone } from './series'
import { now } from './time'

/** Letter and colour of each kind of mark. */
export const MARKS: Readonly<Record<MarkKind, readonly [letter: string, tone: SeriesTone, word: string]>> = {
  build: ['B', 'info', 'Build'],
  rules: ['R', 'accent', 'Rules'],
  machine: ['M', 'wait', 'Machine'],
  problem: ['P', 'bad', 'Problem'],
}

const TITLES: Readonly<Record<SeriesName, string>> = {
  searching: 'Players searching',
  waits: 'Waiting time',
  matches: 'Matches',
  exits: 'Why lobbies returned to waiting',
  crashes: 'Crashes by build version',
  ends: 'Ended servers by build version and cause',
  cost: 'Cost of game servers',
  servers: 'Game servers running',
  spread: 'Spread of players',
  streams: 'Open event streams',
  refusals: 'Refused calls',
}

const NOTHING: Readonly<Record<SeriesName, string>> = {
  searching: 'No player searched in this time.',
  waits: 'No match was made in this time.',
  matches: 'No match was made in this time.',
  exits: 'No lobby returned to waiting in this time.',
  crashes: 'No game server crashed in this time.',
  ends: 'No game server ended in this time.',
  cost: 'No game server ended in this time.',
  servers: 'No game server ran in this time.',
  spread: 'No match was made under a rule on a number in this time.',
  streams: 'No event stream was open in this time.',
  refusals: 'No call was refused in this time.',
}

interface HistoryCardProps {
  readonly history: History
  readonly name: SeriesName
  readonly marks: readonly Mark[]
  /** Selects the parts that are drawn, for example the versions of one build; all by default. */
  readonly hasPart?: ((name: string) => boolean) | undefined
  /** Field whose spreads are drawn; only for `spread`. */
  readonly field?: string | undefined
  readonly title?: string | undefined
}

/** Chart of one series of the history, with the marks of its time. */
export function HistoryCard({ history, name, marks, hasPart, field, title = titleOf(name, field) }: HistoryCardProps) {
  const drawn = useMemo(() => historyLines(history, name, { now: now.peek(), hasPart, field }), [history, name, field])
  const within = marksWithin(marks, Date.parse(history.from), Date.parse(history.to))
  const shown = useMemo(() => within.map(markOf), [within.map(({ key }) => key).join('\n')])
  return (
    <Card title={title}>
      {drawn.isEmpty ? (
        <p class="quiet history-none">{NOTHING[name]}</p>
      ) : (
        <Chart label={title} x={drawn.x} series={drawn.lines} unit={drawn.unit} marks={shown} height={160} />
      )}
    </Card>
  )
}

const titleOf = (name: SeriesName, field: string | undefined): string =>
  field === undefined ? TITLES[name] : `Spread of ${field}`

function markOf({ at, kind }: Mark): ChartMark {
  const [letter, tone] = MARKS[kind]
  return { at, letter, tone }
}
