import { counted, number, Text } from '../../ui'
import type { Outcome } from './run-compare'

const seconds = (value: number | null) => (value === null ? '–' : `${value.toFixed(2)} s`)
const figure = (value: number | null) => (value === null ? '–' : value.toFixed(1))
const percent = (share: number) => `${(100 * share).toFixed(2)} %`

type Row = readonly [label: string, of: (outcome: Outcome) => string]

const FIRST: readonly Row[] = [
  ['Matched parties', ({ unmatchedShare }) => percent(1 - unmatchedShare)],
  ['Median wait', ({ waitSeconds }) => seconds(waitSeconds.p50)],
  ['p90 wait', ({ waitSeconds }) => seconds(waitSeconds.p90)],
  ['Matches', ({ matches }) => number(matches)],
]

/** Table with the figures of `matchyard simulate --compare`, for both sets of rules. */
export function Outcomes({ of: [current, edited] }: { readonly of: readonly [Outcome, Outcome] }) {
  const fields = [...new Set([current, edited].flatMap(({ spread }) => Object.keys(spread)))]
  const spreads = fields.map(
    (field): Row => [`Mean spread of ${field}`, ({ spread }) => figure(spread[field]?.mean ?? null)],
  )
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
          </tr>
        </thead>
        <tbody>
          {[...FIRST, ...spreads].map(([label, of]) => {
            const [was, is] = [of(current), of(edited)]
            return (
              <tr key={label}>
                <th scope="row">
                  <Text>{label}</Text>
                </th>
                <td class="figures">{was}</td>
                <td class={was === is ? 'figures' : 'figures changed'}>{is}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <div class="columns">
        <Unmatched title="Not matched by the current rules" of={current} />
        <Unmatched title="Not matched by the edited rules" of={edited} />
      </div>
    </>
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
