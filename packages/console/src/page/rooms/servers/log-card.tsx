import './servers.css'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { href } from '../../data/route'
import { Card, Check, Copy, counted, HeardAt, Id, number, Search, View, ZoneNote } from '../../ui'
import { lineAt } from './line-at'
import { type LogLine, useLog } from './log'
import { LogRow } from './log-row'

/** Maximum number of shown lines. The search covers all lines that the page keeps. */
const SHOWN = 1_000

/** Live log of a server. A search filters its lines. */
export function LogCard({
  instanceId,
  isLinked = true,
  at,
}: {
  readonly instanceId: string
  readonly isLinked?: boolean
  /** Time to which the log is scrolled, as ISO 8601 text; the end of the log by default. */
  readonly at?: string | undefined
}) {
  const log = useLog(instanceId)
  const words = useSignal('')
  const follows = useSignal(at === undefined)
  useEffect(() => {
    if (at !== undefined) follows.value = false
  }, [at, follows])
  return (
    <Card
      title="Server log"
      flush
      note={
        isLinked && (
          <Id href={href('servers', instanceId)} short>
            {instanceId}
          </Id>
        )
      }
      actions={<HeardAt at={log.heardAt} />}
    >
      <div class="log-tools">
        <Search value={words.value} onInput={(value) => (words.value = value)} label="Search the log" />
        <Check checked={follows.value} onChange={(value) => (follows.value = value)}>
          Follow
        </Check>
      </div>
      <View of={log.now}>
        {(lines) => <Lines lines={lines} words={words.value.toLowerCase()} follows={follows.value} at={at} />}
      </View>
    </Card>
  )
}

function Lines({
  lines,
  words,
  follows,
  at,
}: {
  readonly lines: readonly LogLine[]
  readonly words: string
  readonly follows: boolean
  readonly at: string | undefined
}) {
  const place = useRef<HTMLDivElement>(null)
  const found = words === '' ? lines : lines.filter(({ message }) => message.toLowerCase().includes(words))
  const shown = found.slice(-SHOWN)
  const marked = follows ? undefined : lineAt(shown, at)?.number
  useEffect(() => {
    if (follows && place.current !== null) place.current.scrollTop = place.current.scrollHeight
  }, [follows, found.length])
  useEffect(() => {
    if (marked !== undefined) place.current?.querySelector('.log-line.marked')?.scrollIntoView({ block: 'center' })
  }, [marked])
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <div class="log" ref={place} tabIndex={0} role="log" aria-label="Server log" aria-live="off">
        {shown.map((line) => (
          <LogRow key={line.number} line={line} isMarked={line.number === marked} />
        ))}
        {shown.length === 0 && (
          <p class="quiet">
            {words === '' ? 'The server has printed nothing yet.' : 'No line contains the search text.'}
          </p>
        )}
      </div>
      <div class="log-foot">
        <span class="quiet small figures">
          {counted(found.length, 'line')}
          {found.length > SHOWN && `, the last ${number(SHOWN)} are shown`}
        </span>
        <ZoneNote />
        <Copy
          of="log"
          label="Copy"
          text={found.map(({ timestamp, stream, message }) => `${timestamp} ${stream} ${message}`).join('\n')}
        />
      </div>
    </>
  )
}
