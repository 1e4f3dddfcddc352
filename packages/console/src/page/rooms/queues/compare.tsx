import type { Arrival, Queue } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useProject } from '../../data/hooks'
import { Button, Card, counted, Empty, Meter, number, sentenceOf, Tabs, Text } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'
import { Distributions } from './distributions'
import { type Matchmaking, placeOf, sent } from './draft'
import { Outcomes } from './outcomes'
import { OverTime } from './over-time'
import { DEFAULT_POPULATION, type Population } from './population'
import { HoursField, PopulationForm } from './population-form'
import { unrecorded } from './recorded'
import { fieldOf } from './rules'
import { type Outcome, type Run, run, Stopped, WrongRules } from './run-compare'

type Who = 'recorded' | 'made'

/** Maximum number of arrivals that are read and simulated; above it, the newest arrivals are left out. */
const MOST = 20_000
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
  const hours = useSignal(1)
  const population = useSignal<Population>(DEFAULT_POPULATION)
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
        who.value === 'made'
          ? undefined
          : await recorded(() => admin.queues.arrivals(queue.queue_id, since(hours.value)))
      if (arrivals?.length === 0) {
        state.value = {
          is: 'failed',
          sentences: [`No players arrived in ${inHours(hours.value)}: compare with generated players.`],
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
      const was = asJson(queue, queue.matchmaking ?? {})
      const is = asJson(queue, sent(draft))
      const wish = { arrivals, made: population.value }
      runs.current = [
        run('current', was, { ...wish, other: is }, going(0)),
        run('edited', is, { ...wish, other: was }, going(1)),
      ]
      const [current, edited] = await Promise.all(runs.current.map(({ done }) => done))
      if (current === undefined || edited === undefined) return
      const came =
        arrivals === undefined
          ? 'generated players'
          : `${counted(arrivals.length, 'party', 'parties')} of ${inHours(hours.value)}`
      const warnings = [
        ...(arrivals?.length === MOST ? [`More parties arrived: the first ${number(MOST)} of them are compared.`] : []),
        ...unrecorded(draft.rules ?? [], arrivals ?? [], inHours(hours.value)),
      ]
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
  const ofRules = [...(queue.matchmaking?.rules ?? []), ...(draft.rules ?? [])].map(fieldOf)
  const isBusy = value.is === 'reading' || value.is === 'going'
  return (
    <Card
      title="Comparison"
      help={<HelpLink on={HELP.comparison} />}
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
            { id: 'recorded', label: 'Recorded players' },
            { id: 'made', label: 'Generated players' },
          ]}
        />
        {who.value === 'recorded' ? (
          <HoursField
            value={hours.value}
            onChange={(next) => {
              hours.value = next
            }}
          />
        ) : (
          <PopulationForm
            rules={[...(queue.matchmaking?.rules ?? []), ...(draft.rules ?? [])]}
            value={population.value}
            onChange={(next) => {
              population.value = next
            }}
          />
        )}
        {value.is === 'idle' && (
          <Empty icon="queues" title="Compare the edited rules with the current rules">
            The matchmaking engine simulates both sets of rules in this page. The queue does not change.
          </Empty>
        )}
        {value.is === 'reading' && <p role="status">Loading the recorded players…</p>}
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
        {value.outcomes !== undefined && <Outcomes of={value.outcomes} ofRules={ofRules} />}
        {value.outcomes !== undefined && <Distributions of={value.outcomes} />}
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

const since = (hours: number) => ({ since: new Date(Date.now() - hours * HOUR_MS).toISOString() })

const inHours = (hours: number): string => (hours === 1 ? 'the last hour' : `the last ${hours} hours`)

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
