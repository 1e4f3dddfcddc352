import { useSignal } from '@preact/signals'
import { counted, Field, number, Select, Text } from '../../ui'
import type { Outcome } from './run-compare'

const seconds = (value: number | null) => (value === null ? '–' : `${value.toFixed(2)} s`)
const figure = (value: number | null) => (value === null ? '–' : value.toFixed(1))
const percent = (share: number) => `${(100 * share).toFixed(2)} %`

/** A figure of an outcome, as text and as a number that can be compared. */
interface Row {
  readonly label: string
  readonly of: (outcome: Outcome) => number | null
  readonly shown: (value: number | null) => string
  /** Whether a higher value is better for players: true, false, or undefined where neither is. */
  readonly wantsMore?: boolean
}

const waitOf = (label: string, of: Row['of']): Row => ({ label, of, shown: seconds, wantsMore: false })

const FIRST: readonly Row[] = [
  {
    label: 'Matched parties',
    of: ({ unmatchedShare }) => 1 - unmatchedShare,
    shown: (share) => percent(share ?? 0),
    wantsMore: true,
  },
  waitOf('Median wait', ({ waitSeconds }) => waitSeconds.p50),
  waitOf('p90 wait', ({ waitSeconds }) => waitSeconds.p90),
  waitOf('p99 wait', ({ waitSeconds }) => waitSeconds.p99),
  { label: 'Matches', of: ({ matches }) => matches, shown: (count) => number(count ?? 0) },
]

const spreadsOf = (field: string): readonly Row[] => [
  {
    label: `Mean spread of ${field}`,
    of: ({ spread }) => spread[field]?.mean ?? null,
    shown: figure,
    wantsMore: false,
  },
  { label: `p90 spread of ${field}`, of: ({ spread }) => spread[field]?.p90 ?? null, shown: figure, wantsMore: false },
]

/** Table with the figures of `matchyard simulate --compare`, for both sets of rules, and the change. */
export function Outcomes({
  of: [current, edited],
  ofRules,
}: {
  readonly of: readonly [Outcome, Outcome]
  /** Fields that the rules read. The table has their spreads, and the spread of one other field of the user's choice. */
  readonly ofRules: readonly string[]
}) {
  const chosen = useSignal('')
  const measured = [...new Set([current, edited].flatMap(({ spread }) => Object.keys(spread)))]
  const others = measured.filter((field) => !ofRules.includes(field))
  const fields = measured.filter((field) => ofRules.includes(field) || field === chosen.value)
  return (
    <>
      <table class="figure-table queue-figures">
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">Figure</span>
            </th>
            <th scope="col">Current</th>
            <th scope="col">Edited</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {[...FIRST, ...fields.flatMap(spreadsOf)].map((row) => (
            <tr key={row.label}>
              <th scope="row">
                <Text>{row.label}</Text>
              </th>
              <td class="figures">{row.shown(row.of(current))}</td>
              <td class="figures">{row.shown(row.of(edited))}</td>
              <Change row={row} was={row.of(current)} is={row.of(edited)} />
            </tr>
          ))}
        </tbody>
      </table>
      {others.length > 0 && (
        <Field label="Spread of another field" hint="Numbers of the recorded players that no rule reads.">
          {(named) => (
            <Select
              {...named}
              value={chosen.value}
              onChange={(next) => {
                chosen.value = next
              }}
              options={[['', 'None'], ...others.map((field) => [field, field] as const)]}
            />
          )}
        </Field>
      )}
      <div class="columns">
        <Unmatched title="Not matched by the current rules" of={current} />
        <Unmatched title="Not matched by the edited rules" of={edited} />
      </div>
    </>
  )
}

/** Cell with a difference, and whether it is better or worse for players. */
function Change({ row, was, is }: { readonly row: Row; readonly was: number | null; readonly is: number | null }) {
  if (was === null || is === null || row.shown(was) === row.shown(is)) return <td class="figures quiet">–</td>
  const difference = is - was
  const isBetter = row.wantsMore === undefined ? undefined : difference > 0 === row.wantsMore
  const text = `${difference > 0 ? '+' : '−'}${row.shown(Math.abs(difference))}`
  if (isBetter === undefined) return <td class="figures changed">{text}</td>
  return (
    <td class={`figures changed ${isBetter ? 'good' : 'bad'}`}>
      {text} <span class="small">{isBetter ? 'better' : 'worse'}</span>
    </td>
  )
}

function Unmatched({ title, of: { unmatched } }: { readonly title: string; readonly of: Outcome }) {
  const { parties, gaveUp, asked, reasons } = unmatched
  return (
    <section class="stack tight" aria-label={title}>
      <h3>{title}</h3>
      <p class="quiet small">
        {parties === 0
          ? 'All parties were matched.'
          : `${counted(parties, 'party', 'parties')}; ${number(gaveUp)} of these left the queue before the timeout. Reasons:`}
      </p>
      <ul class="queue-reasons">
        {reasons.slice(0, 5).map(({ reason, type, field, parties: count, rejected }) => (
          <li key={`${reason} ${type} ${field}`}>
            <span class="figures">{percent(asked === 0 ? 0 : count / asked)}</span>{' '}
            {reason === 'rule' ? (
              <Text lines={2}>
                {`rule ${type?.replaceAll('_', ' ') ?? ''} ${field ?? ''} (excludes ${percent(rejected)} of the waiting parties)`}
              </Text>
            ) : reason === 'alone' ? (
              'no other party waited'
            ) : reason === 'sizes' ? (
              'other parties passed all rules, but the team sizes were too different'
            ) : (
              'other parties passed all rules, but too few to fill a match'
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
