import type { Calibration } from '@matchyard/client/admin'
import { useMemo } from 'preact/hooks'
import { useProject, useRead } from '../../data/hooks'
import { Card, Chart, counted, Empty, HeardAt, Meter, number, View } from '../../ui'
import { type Favourites, favouritesOf, lineOf, percent } from './calibration-line'

const LOOK_MS = 15_000
const WHOLE = [0, 100] as const

/** Calibration of a rating: predicted and real outcomes as sentences, as a chart and as a table. */
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
  return (
    <div class="halves">
      <div class="stack">
        <Verdict of={favouritesOf(buckets)} matches={matches} />
        <Chart
          label="Share of teams that won (upwards) over the predicted probability of winning (to the right), in percent. The table has the same numbers."
          x={x}
          series={series}
          height={300}
          time={false}
          unit=" %"
          unitOfX=" %"
          range={WHOLE}
        />
        <p class="quiet small">
          To the right: the predicted probability of winning. Upwards: the share of these teams that won. A dot on the
          dashed line means equal: of ten teams that should win with 70 %, seven won. A dot below the line: the teams
          won less often than predicted.
        </p>
      </div>
      <BucketTable of={buckets} />
    </div>
  )
}

const VERDICTS = {
  as_predicted: ['Favourites win as often as predicted', 'The difference is small enough to be chance.'],
  less: [
    'Favourites win less often than predicted',
    'The rating is too sure of its predictions. A larger beta in the settings makes them more cautious.',
  ],
  more: [
    'Favourites win more often than predicted',
    'The rating is too cautious in its predictions. A smaller beta in the settings makes them more definite.',
  ],
} as const

/** Sentences for readers without knowledge of statistics: how often favourites won, and the setting that helps. */
function Verdict({ of, matches }: { readonly of: Favourites | undefined; readonly matches: number }) {
  if (of === undefined) {
    return <p>{counted(matches, 'rated match', 'rated matches')}. No team had a probability of one half or more.</p>
  }
  const [title, advice] = VERDICTS[of.verdict]
  return (
    <div class="stack tight">
      <h3 class="rating-verdict">{title}</h3>
      <p>
        Predicted: {percent(of.predicted)} of {counted(of.count, 'team')} with a probability of one half or more. Won:{' '}
        {percent(of.actual)}, in {counted(matches, 'rated match', 'rated matches')}. {advice}
      </p>
      {of.verdict !== 'as_predicted' && (
        <p class="quiet small">A new beta applies to later matches; these figures keep the earlier predictions.</p>
      )}
    </div>
  )
}

function BucketTable({ of: buckets }: { readonly of: Calibration['buckets'] }) {
  const most = Math.max(...buckets.map(({ count }) => count))
  return (
    <table class="figure-table rating-figures">
      <thead>
        <tr>
          <th scope="col">Range</th>
          <th scope="col">Teams</th>
          <th scope="col">Predicted</th>
          <th scope="col">Won</th>
        </tr>
      </thead>
      <tbody>
        {buckets.map(({ from, to, count, predicted, actual }) => (
          <tr key={from}>
            <th scope="row">{`${Math.round(100 * from)} to ${Math.round(100 * to)} %`}</th>
            <td>
              <span class="rating-count">
                <Meter value={count} most={most} label={counted(count, 'team')} isLimit={false} />
                <span class="figures">{number(count)}</span>
              </span>
            </td>
            <td class="figures">{percent(predicted)}</td>
            <td class="figures">{percent(actual)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
