import type { Arrival, Queue } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useProject } from '../../data/hooks'
import { Button, Card, Chart, counted, Empty, Meter, number, sentenceOf, Tabs, Text } from '../../ui'
import { type Matchmaking, placeOf, sent } from './draft'
import { Outcomes } from './outcomes'
import { unrecorded } from './recorded'
import { type Outcome, type Run, run, Stopped, WrongRules } from './run-compare'

type Who = 'recorded' | 'made'

/** Maximum number of arrivals that are read and simulated; above it, the newest arrivals are left out. */
const MOST = 20_000
const MADE = { parties: 2_000, perSecond: 2 }
const HOUR_MS = 3_600_000

interface State {
  readonly is: 'idle' | 'reading' | 'going' | 'done' | 'failed'
  readonly share?: number
  readonly sentences?: readonly string[]
  readonly outcomes?: readonly [Outcome, Outcome]
  readonly who?: string
  readonly ms?: number
  /** Warnings about the recorded players. */
  readonly warnings?: readonly string[]
}

/** Compares the current rules with the edited ones: the matchmaking engine simulates both in this page. */
export function Compare({
  queue,
  draft,
  onWrong,
}: {
  readonly queue: Queue
  readonly draft: Matchmaking
  /** Called with the faults of the edited rules, by path, when they cannot be simulated. */
  readonly onWrong: (faults: ReadonlyMap<string, string>) => void
}) {
  const { admin } = useProject()
  const who = useSignal<Who>('recorded')
  const state = useSignal<State>({ is: 'idle' })
  const runs = useRef<readonly Run[]>([])
  const stop = () => {
    for (const one of runs.current) one.stop()
    runs.current = []
  }
  useEffect(() => stop, [])
  const compare = async () => {
    stop()
    state.value = { is: 'reading' }
    try {
      const arrivals =
        who.value === 'made' ? undefined : await recorded(() => admin.queues.arrivals(queue.queue_id, lastHour()))
      if (arrivals?.length === 0) {
        state.value = {
          is: 'failed',
          sentences: ['No players arrived in the last hour: compare with generated players.'],
        }
        return
      }
      const startedAt = performance.now()
      const shares = [0, 0]
      const going = (which: number) => (share: number) => {
        shares[which] = share
        state.value = { is: 'going', share: Math.min(...shares) }
      }
      state.value = { is: 'going', share: 0 }
      const wish = { arrivals, made: MADE }
      runs.current = [
        run('current', asJson(queue, queue.matchmaking ?? {}), wish, going(0)),
        run('edited', asJson(queue, sent(draft)), wish, going(1)),
      ]
      const [current, edited] = await Promise.all(runs.current.map(({ done }) => done))
      if (current === undefined || edited === undefined) return
      const came =
        arrivals === undefined
          ? 'generated players'
          : `${counted(arrivals.length, 'party', 'parties')} of the last hour`
      const warnings = unrecorded(draft.rules ?? [], arrivals ?? [])
      state.value = { is: 'done', outcomes: [current, edited], who: came, ms: performance.now() - startedAt, warnings }
    } catch (error) {
      stop()
      if (error instanceof WrongRules) onWrong(placesOf(error.sentences))
      if (error instanceof Stopped) state.value = { is: 'idle' }
      else
        state.value = { is: 'failed', sentences: error instanceof WrongRules ? error.sentences : [sentenceOf(error)] }
    }
  }
  const { value } = state
  const isBusy = value.is === 'reading' || value.is === 'going'
  return (
    <Card
      title="Comparison"
      note={value.is === 'done' ? `${value.who}, simulated in ${((value.ms ?? 0) / 1_000).toFixed(1)} s` : undefined}
      actions={
        isBusy ? (
          <Button onClick={stop}>Stop</Button>
        ) : (
          <Button icon="play" onClick={compare}>
            Compare
          </Button>
        )
      }
    >
      <div class="stack">
        <Tabs
          label="Players"
          now={who.value}
          onChange={(next) => {
            who.value = next
          }}
          tabs={[
            { id: 'recorded', label: 'Players of the last hour' },
            { id: 'made', label: 'Generated players' },
          ]}
        />
        {value.is === 'idle' && (
          <Empty icon="queues" title="Compare the edited rules with the current rules">
            The matchmaking engine simulates both sets of rules in this page. The queue does not change.
          </Empty>
        )}
        {value.is === 'reading' && <p role="status">Loading the players of the last hour…</p>}
        {value.is === 'going' && (
          <div role="status" class="stack">
            <span>Simulating, {Math.round(100 * (value.share ?? 0))} %</span>
            <Meter value={0.89 * (value.share ?? 0)} most={1} label="Progress" />
          </div>
        )}
        {value.is === 'failed' && (
          <div class="notice bad" role="alert">
            {value.sentences?.slice(0, 8).map((sentence) => (
              <p key={sentence}>
                <Text lines={3}>{sentence}</Text>
              </p>
            ))}
          </div>
        )}
        {value.warnings?.map((sentence) => (
          <div key={sentence} class="notice" role="status">
            <Text lines={6}>{sentence}</Text>
          </div>
        ))}
        {value.outcomes !== undefined && <Outcomes of={value.outcomes} />}
        {value.outcomes !== undefined && <OverTime of={value.outcomes} />}
      </div>
    </Card>
  )
}

/** Returns faults by path, from sentences such as `rules.0.max_difference: must be a number`. */
const placesOf = (sentences: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    sentences.map((sentence) => {
      const at = sentence.indexOf(': ')
      return [placeOf(sentence.slice(0, at)), sentence.slice(at + 2)] as const
    }),
  )

const lastHour = () => ({ since: new Date(Date.now() - HOUR_MS).toISOString() })

async function recorded(read: () => AsyncIterable<Arrival>): Promise<Arrival[]> {
  const all: Arrival[] = []
  for await (const arrival of read()) {
    all.push(arrival)
    if (all.length === MOST) break
  }
  return all
}

const asJson = ({ timeout, server_settings }: Queue, matchmaking: Matchmaking) => ({
  timeout,
  server_settings: server_settings ?? null,
  matchmaking,
})

/** Chart of the waits over the simulated time, with one line for each set of rules. */
function OverTime({ of: [current, edited] }: { readonly of: readonly [Outcome, Outcome] }) {
  const stretches = [
    ...new Set([current, edited].flatMap(({ timelines }) => timelines.wait.map(({ seconds }) => seconds))),
  ]
  const x = stretches.sort((a, b) => a - b)
  const line = ({ timelines }: Outcome) => {
    const at = new Map(timelines.wait.map(({ seconds, value }) => [seconds, value]))
    return x.map((seconds) => at.get(seconds) ?? null)
  }
  if (x.length < 2) return null
  return (
    <Chart
      label={`Wait in seconds with the current and the edited rules, over ${number(Math.round(x.at(-1) ?? 0))} seconds`}
      x={x}
      time={false}
      unit="s"
      series={[
        { label: 'Wait, current', values: line(current), tone: 'still', dashed: true },
        { label: 'Wait, edited', values: line(edited) },
      ]}
    />
  )
}
