import type { Calibration } from '@matchyard/client/admin'
import { useMemo } from 'preact/hooks'
import { useProject, useRead } from '../../data/hooks'
import { Card, Chart, counted, Empty, HeardAt, Meter, number, View } from '../../ui'
import { lineOf, percent } from './calibration-line'

const LOOK_MS = 15_000
const WHOLE = [0, 100] as const

/** Calibration of a rating: predicted and real outcomes as a chart and as a table. */
export function Calibrated({ ratingId }: { readonly ratingId: string }) {
  const { admin } = useProject()
  const read = useRead(() => admin.ratings.calibration(ratingId), [admin, ratingId], { every: LOOK_MS })
  return (
    <Card title="Calibration" actions={<HeardAt at={read.heardAt} />}>
      <View of={read.now} as="rows" again={read.again}>
        {(calibration) =>
          calibration.matches === 0 ? (
            <Empty icon="ratings" title="No rated match yet">
              Before each match, the rating predicts how probable it is that each team wins. This page compares the
              predictions with the results.
            </Empty>
          ) : (
            <Shown of={calibration} />
          )
        }
      </View>
    </Card>
  )
}

function Shown({ of: { matches, buckets } }: { readonly of: Calibration }) {
  const key = JSON.stringify(buckets)
  const { x, series } = useMemo(() => lineOf(buckets), [key])
  const most = Math.max(...buckets.map(({ count }) => count))
  return (
    <div class="rating-columns">
      <div class="stack">
        <p class="quiet small">
          {counted(matches, 'rated match', 'rated matches')}. The rating predicts well where the dots are near the
          diagonal: of teams with a predicted probability of 70 %, seven of ten win. A dot of few teams says little.
        </p>
        <Chart
          label="Share of teams that won over the predicted probability of winning, in percent. The table has the same numbers."
          x={x}
          series={series}
          height={320}
          time={false}
          unit=" %"
          unitOfX=" %"
          range={WHOLE}
        />
      </div>
      <table class="rating-figures">
        <thead>
          <tr>
            <th scope="col">Predicted</th>
            <th scope="col">Teams</th>
            <th scope="col">Mean</th>
            <th scope="col">Won</th>
          </tr>
        </thead>
        <tbody>
          {buckets.map(({ from, to, count, predicted, actual }) => (
            <tr key={from}>
              <th scope="row">{`${Math.round(100 * from)} to ${Math.round(100 * to)} %`}</th>
              <td>
                <span class="rating-count">
                  <Meter value={count} most={most} label={counted(count, 'team')} />
                  <span class="figures">{number(count)}</span>
                </span>
              </td>
              <td class="figures">{percent(predicted)}</td>
              <td class="figures">{percent(actual)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
