import './history.css'
import type { History } from '@matchyard/client/admin'
import type { ComponentChildren } from 'preact'
import { marksWithin } from '../data/bounded'
import { setChartTime, useChartTime, useHistory } from '../data/history'
import { type Mark, type MarkScope, useMarks } from '../data/marks'
import { type ChartTime, RANGES, type RangeId, type SeriesName } from '../data/slots'
import { Button } from './button'
import { HistoryCard, MARKS } from './history-card'
import { spreadFields } from './history-lines'
import { HeardAt } from './page'
import { View } from './states'
import { Tabs } from './tabs'
import { Text } from './text'
import { now } from './time'
import { inBothZones, minuteOf, zoneAt } from './zone'

interface HistoryChartsProps extends MarkScope {
  readonly title?: string
  readonly series: readonly SeriesName[]
  /** Selects the parts of exits and crashes that are drawn; all by default. */
  readonly hasPart?: (name: string) => boolean
  /** Range that is shown when the address names none. */
  readonly range?: RangeId
  /** Content under the charts, made of the same figures. */
  readonly children?: (history: History, time: ChartTime) => ComponentChildren
}

/** Charts of series over a time that the address names, with the builds, rule changes and problems of that time. */
export function HistoryCharts({
  title = 'History',
  series,
  hasPart,
  range,
  children,
  queueId,
  buildName,
}: HistoryChartsProps) {
  const time = useChartTime(range)
  const read = useHistory(series, time, queueId)
  const marks = useMarks({ queueId, buildName })
  return (
    <section class="history" aria-label={title}>
      <div class="line apart">
        <span class="line">
          <h2>{title}</h2>
          <HeardAt at={read.heardAt} />
        </span>
        <TimeTools time={time} />
      </div>
      <View of={read.now} as="cards" again={read.again}>
        {(history) => (
          <>
            <div class={series.length === 1 ? 'stack' : 'halves'}>
              {series.flatMap((name) =>
                fieldsOf(history, name).map((field) => (
                  <HistoryCard key={`${name} ${field ?? ''}`} {...{ history, name, marks, hasPart, field }} />
                )),
              )}
            </div>
            <Events of={marksWithin(marks, Date.parse(history.from), Date.parse(history.to))} />
            {children?.(history, time)}
          </>
        )}
      </View>
    </section>
  )
}

/** Returns the fields of which a series has charts of their own. Each other series has one chart. */
function fieldsOf(history: History, name: SeriesName): readonly (string | undefined)[] {
  const fields = name === 'spread' ? spreadFields(history) : []
  return fields.length === 0 ? [undefined] : fields
}

/** Choice of the time that the charts show. */
function TimeTools({ time }: { readonly time: ChartTime }) {
  const { range, until } = time
  const move = (turns: number) => {
    const next = (until ?? now.peek()) + turns * range.ms
    setChartTime({ range, until: next >= now.peek() ? undefined : next })
  }
  return (
    <span class="line">
      {until !== undefined && (
        <span class="small" title={inBothZones(until)}>
          until {minuteOf(until)} {zoneAt(until)}
        </span>
      )}
      <Tabs
        label="Time range"
        now={range.id}
        onChange={(id) => setChartTime({ range: RANGES.find((one) => one.id === id) ?? range, until })}
        tabs={RANGES}
      />
      <Button small kind="quiet" icon="back" label="Earlier" onClick={() => move(-1)} />
      {until !== undefined && (
        <>
          <Button small kind="quiet" icon="more" label="Later" onClick={() => move(1)} />
          <Button small kind="quiet" onClick={() => setChartTime({ range, until: undefined })}>
            Now
          </Button>
        </>
      )}
    </span>
  )
}

/** Number of events that are listed; the charts mark more. */
const LISTED = 12

function Events({ of }: { readonly of: readonly Mark[] }) {
  if (of.length === 0) return null
  return (
    <ol class="history-events" aria-label="Events in this time">
      {of.slice(0, LISTED).map(({ key, kind, at, label, href }) => {
        const [letter, tone, word] = MARKS[kind]
        return (
          <li key={key}>
            <span class={`mark-letter ${tone}`} title={word}>
              <span aria-hidden="true">{letter}</span>
              <span class="unseen">{word}</span>
            </span>
            <time class="figures" dateTime={new Date(at).toISOString()} title={inBothZones(at)}>
              {minuteOf(at)}
            </time>
            <a href={href}>
              <Text>{label}</Text>
            </a>
          </li>
        )
      })}
      {of.length > LISTED && <li class="quiet">and {of.length - LISTED} earlier</li>}
    </ol>
  )
}
