import type { Arrival, Queue } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { Button, Card, Empty, Field, number, Select, sentenceOf, Text } from '../../ui'
import { Bar, percent } from './bars'
import { GROUPS, type Group, histogramOf, percentile, valuesOf } from './field-figures'
import { HoursField } from './population-form'
import { numbersIn } from './recorded'

/** Maximum number of stays that are read. Above it, the newest stays and the parties that wait are left out. */
const MOST = 20_000
const HOUR_MS = 3_600_000

type State =
  | { readonly is: 'idle' | 'reading' }
  | { readonly is: 'failed'; readonly sentence: string }
  | { readonly is: 'ready'; readonly stays: readonly Arrival[] }

const TITLES: Readonly<Record<Group, string>> = { waiting: 'Waiting now', played: 'Matched' }
const TONES = { waiting: 'accent', played: 'still' } as const

/** Distribution of a numeric field among the players who wait in a queue, and among those who were matched in the last hours. */
export function FieldDistribution({ queue }: { readonly queue: Queue }) {
  const { admin } = useProject()
  const hours = useSignal(1)
  const field = useSignal('')
  const state = useSignal<State>({ is: 'idle' })
  const read = async () => {
    state.value = { is: 'reading' }
    try {
      const since = new Date(Date.now() - hours.value * HOUR_MS).toISOString()
      const stays: Arrival[] = []
      for await (const stay of admin.queues.arrivals(queue.queue_id, { since })) {
        stays.push(stay)
        if (stays.length === MOST) break
      }
      state.value = { is: 'ready', stays }
    } catch (error) {
      state.value = { is: 'failed', sentence: sentenceOf(error) }
    }
  }
  const { value } = state
  const fields = value.is === 'ready' ? numbersIn(value.stays) : []
  const shown = fields.includes(field.value) ? field.value : (fields[0] ?? '')
  return (
    <Card
      title="Players by a number of their state"
      note={
        value.is === 'ready' && value.stays.length === MOST
          ? `the first ${number(MOST)} parties, without those after them`
          : undefined
      }
      actions={
        <Button icon="play" onClick={read} disabled={value.is === 'reading'}>
          Load
        </Button>
      }
    >
      <div class="stack">
        <div class="queue-program">
          <HoursField
            value={hours.value}
            onChange={(next) => {
              hours.value = next
            }}
          />
          {fields.length > 0 && (
            <Field label="Field">
              {(named) => (
                <Select
                  {...named}
                  value={shown}
                  onChange={(next) => {
                    field.value = next
                  }}
                  options={fields.map((one) => [one, one] as const)}
                />
              )}
            </Field>
          )}
        </div>
        {value.is === 'idle' && (
          <Empty icon="queues" title="Compare the players who wait with those who were matched">
            The service records the numbers of the players’ states, also of fields that no rule reads.
          </Empty>
        )}
        {value.is === 'reading' && <p role="status">Loading the recorded players…</p>}
        {value.is === 'failed' && (
          <div class="notice bad" role="alert">
            <Text lines={3}>{value.sentence}</Text>
          </div>
        )}
        {value.is === 'ready' &&
          (shown === '' ? (
            <p class="quiet" role="status">
              No player with a number in the state waits, or was matched in this time.
            </p>
          ) : (
            <Histogram stays={value.stays} field={shown} />
          ))}
      </div>
    </Card>
  )
}

function Histogram({ stays, field }: { readonly stays: readonly Arrival[]; readonly field: string }) {
  const values = valuesOf(stays, field)
  const bars = histogramOf(values)
  const longest = Math.max(0, ...bars.flatMap(({ shares }) => GROUPS.map((group) => shares[group])))
  return (
    <section class="stack tight" aria-label={`Distribution of ${field}`}>
      <table class="figure-table queue-figures">
        <thead>
          <tr>
            <th scope="col">
              <Text>{field}</Text>
            </th>
            <th scope="col">Players</th>
            <th scope="col">Median</th>
            <th scope="col">p90</th>
          </tr>
        </thead>
        <tbody>
          {GROUPS.map((group) => (
            <tr key={group}>
              <th scope="row">
                <span class={`key ${TONES[group]}`}>{TITLES[group]}</span>
              </th>
              <td class="figures">{number(values[group].length)}</td>
              <td class="figures">{figure(percentile(values[group], 0.5))}</td>
              <td class="figures">{figure(percentile(values[group], 0.9))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {bars.length === 0 ? (
        <p class="quiet small">No player with this number waits, or was matched in this time.</p>
      ) : (
        <dl class="queue-bars">
          {bars.map(({ from, to, shares }) => (
            <BarsOf
              key={from}
              label={from === to ? figure(from) : `${figure(from)} to ${figure(to)}`}
              shares={shares}
              longest={longest}
            />
          ))}
        </dl>
      )}
    </section>
  )
}

function BarsOf({
  label,
  shares,
  longest,
}: {
  readonly label: string
  readonly shares: Readonly<Record<Group, number>>
  readonly longest: number
}) {
  return (
    <>
      <dt class="small figures">{label}</dt>
      <dd aria-hidden="true">
        {GROUPS.map((group) => (
          <Bar key={group} share={longest === 0 ? 0 : shares[group] / longest} tone={TONES[group]} />
        ))}
      </dd>
      <dd class="small figures">{GROUPS.map((group) => percent(shares[group])).join(' · ')}</dd>
    </>
  )
}

/** Returns a value with at most three significant digits after the point of small numbers. */
const figure = (value: number | null): string =>
  value === null ? '–' : Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)))
