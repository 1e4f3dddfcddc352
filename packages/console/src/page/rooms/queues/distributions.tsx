import { Text } from '../../ui'
import { Bar, percent } from './bars'
import type { Outcome } from './run-compare'

type Two = readonly [current: Outcome, edited: Outcome]

const seconds = (value: number | null) => (value === null ? '–' : `${value.toFixed(1)} s`)
const rounded = (value: number) => String(Math.round(value * 10) / 10)

/** Distribution of the waits, and the waits by bands of a numeric field, for both sets of rules. */
export function Distributions({ of }: { readonly of: Two }) {
  return (
    <>
      <Waits of={of} />
      <Bands of={of} />
    </>
  )
}

/** Bars with the share of parties by their wait: the upper bar of a row is for the current rules. */
function Waits({ of: [current, edited] }: { readonly of: Two }) {
  const shareOf = ({ waitHistogram, parties }: Outcome, row: number) =>
    parties === 0 ? 0 : (waitHistogram[row]?.parties ?? 0) / parties
  const rows = current.waitHistogram.flatMap(({ seconds: most }, row) => {
    const least = row === 0 ? 0 : (current.waitHistogram[row - 1]?.seconds ?? 0)
    const [was, is] = [shareOf(current, row), shareOf(edited, row)]
    return was + is === 0 ? [] : [{ label: most === null ? `over ${least} s` : `${least} to ${most} s`, was, is }]
  })
  if (rows.length === 0) return null
  const longest = Math.max(...rows.flatMap(({ was, is }) => [was, is]))
  return (
    <section class="stack tight" aria-label="Distribution of waits">
      <h3>Waits of the matched parties</h3>
      <p class="quiet small">
        Share of all parties. <span class="key still">Current</span> <span class="key accent">Edited</span>
      </p>
      <dl class="queue-bars">
        {rows.map(({ label, was, is }) => (
          <Bars key={label} label={label} was={was} is={is} longest={longest} />
        ))}
      </dl>
    </section>
  )
}

function Bars({
  label,
  was,
  is,
  longest,
}: {
  readonly label: string
  readonly was: number
  readonly is: number
  readonly longest: number
}) {
  return (
    <>
      <dt class="small figures">{label}</dt>
      <dd aria-hidden="true">
        <Bar share={was / longest} tone="still" />
        <Bar share={is / longest} tone="accent" />
      </dd>
      <dd class="small figures">
        {percent(was)} → {percent(is)}
      </dd>
    </>
  )
}

/** Table with the waits by bands of equally many parties, from the lowest to the highest values of a field. */
function Bands({ of: [current, edited] }: { readonly of: Two }) {
  const [was, is] = [current.waitByField, edited.waitByField]
  if (was === undefined || is === undefined || was.bands.length < 2 || was.field !== is.field) return null
  return (
    <section class="stack tight" aria-label={`Waits by ${was.field}`}>
      <h3>
        Waits by <Text>{was.field}</Text>
      </h3>
      <table class="figure-table queue-figures">
        <thead>
          <tr>
            <th scope="col">
              <Text>{was.field}</Text>
            </th>
            <th scope="col">Median, current</th>
            <th scope="col">Median, edited</th>
            <th scope="col">p90, current</th>
            <th scope="col">p90, edited</th>
          </tr>
        </thead>
        <tbody>
          {was.bands.map(({ from, to, waitSeconds }, band) => {
            const after = is.bands[band]?.waitSeconds
            return (
              <tr key={from}>
                <th scope="row" class="figures">
                  {rounded(from)} to {rounded(to)}
                </th>
                <td class="figures">{seconds(waitSeconds.p50)}</td>
                <td class="figures">{seconds(after?.p50 ?? null)}</td>
                <td class="figures">{seconds(waitSeconds.p90)}</td>
                <td class="figures">{seconds(after?.p90 ?? null)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
