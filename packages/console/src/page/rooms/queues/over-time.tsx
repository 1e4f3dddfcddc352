import { Chart, number } from '../../ui'
import type { Outcome } from './run-compare'

/** Chart of the waits over the simulated time, with one line for each set of rules. */
export function OverTime({ of: [current, edited] }: { readonly of: readonly [Outcome, Outcome] }) {
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
