import type { ProjectProblem } from '@matchyard/client/admin'
import { Clock, Text, Time } from '../../ui'

const TRENDS: Readonly<Record<string, string>> = {
  rising: 'more crashes in the newer half',
  steady: 'as many crashes in both halves',
  falling: 'fewer crashes in the newer half',
}

/** Line with the start of a problem, its trend, and what people did about it. */
export function Done({ of }: { readonly of: ProjectProblem }) {
  const { since, details, acknowledged, muted } = of
  const { wave } = details
  return (
    <span class="quiet small problem-done">
      <span>
        started <Clock at={wave?.first_at ?? since} /> (<Time at={wave?.first_at ?? since} />)
      </span>
      {wave !== undefined && (
        <span>{`${wave.crashed} of ${wave.ended} crashed, ${wave.trend}: ${TRENDS[wave.trend] ?? wave.trend}`}</span>
      )}
      {acknowledged !== null && (
        <span>
          acknowledged <Time at={acknowledged.at} />
          {acknowledged.by.name !== null && (
            <>
              {' '}
              by <Text>{acknowledged.by.name}</Text>
            </>
          )}
          {acknowledged.note !== null && (
            <>
              : <Text lines={3}>{acknowledged.note}</Text>
            </>
          )}
        </span>
      )}
      {muted !== null && (
        <span>
          muted until <Clock at={muted.until} />
          {muted.reason !== null && (
            <>
              : <Text lines={3}>{muted.reason}</Text>
            </>
          )}
        </span>
      )}
    </span>
  )
}
