import { Card, Meter } from './card'
import { type CrashShare, crashShares, isOfBuild } from './crash-shares'
import { HistoryCharts } from './history-charts'
import { number } from './words'

const SERIES = ['crashes'] as const

/** Crashes of the versions of one build over time, and the share of each version in them. */
export function BuildHistory({ name }: { readonly name: string }) {
  const hasPart = (part: string) => isOfBuild(part, name)
  return (
    <HistoryCharts title="Crashes over time" series={SERIES} hasPart={hasPart} buildName={name} range="7d">
      {(history) => <Shares of={crashShares(history, name)} />}
    </HistoryCharts>
  )
}

/** Maximum number of versions in the table; the chart has the sum of all others. */
const MOST = 20

function Shares({ of }: { readonly of: readonly CrashShare[] }) {
  if (of.length === 0) return null
  return (
    <Card title="Share of the crashes by version">
      <table class="figure-table">
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Crashes</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {of.slice(0, MOST).map(({ version, crashes, share }) => (
            <tr key={version}>
              <th scope="row">{version}</th>
              <td class="figures">{number(crashes)}</td>
              <td class="figures">
                {Math.round(share * 100)} %
                <Meter value={share} most={1} isLimit={false} label={`${Math.round(share * 100)} %`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
