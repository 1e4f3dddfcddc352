import type { QueueExplanation } from '@matchyard/client'
import { useProject, useRead } from '../../data/hooks'
import { part } from '../../data/wire'
import { Card, counted, HeardAt, Meter, span, Text, View } from '../../ui'

const HELD = {
  proposal: 'A match is proposed. The players must accept it first.',
  elsewhere:
    'A player of this lobby is in a match of another search. If that match is not made, this search continues with its age.',
  absent: 'No player of this lobby was heard recently. The search continues with its age when one is heard again.',
  plan_limit:
    'The account has reached the server limit of its plan. The next free server goes to the match that has waited longest.',
} as const

/** Shows why a lobby waits: for each rule, the number of other parties that pass it. */
export function WhyWaiting({ lobbyId }: { readonly lobbyId: string }) {
  const { wire } = useProject()
  const path = `/v1/lobbies/${part(lobbyId)}/queue`
  const why = useRead(() => wire.get<QueueExplanation>(path), [wire, path], { every: 2_000 })
  return (
    <Card title="Why this lobby is still searching" actions={<HeardAt at={why.heardAt} />}>
      <View of={why.now} again={why.again}>
        {(told) => (
          <div class="stack">
            <p>{sentenceOf(told)}</p>
            {told.rules.length > 0 && <Rules of={told} />}
          </div>
        )}
      </View>
    </Card>
  )
}

function sentenceOf(told: QueueExplanation): string {
  const { waited_seconds, fitting_all, missing, max_size_difference, next_relaxation_seconds } = told
  const { estimated_wait_seconds, held_by } = told
  const others = fitting_all + Math.max(0, ...told.rules.map(({ failing }) => failing))
  const seats = missing.reduce((sum, { players }) => sum + players, 0)
  return [
    `Wait so far: ${span(waited_seconds)}.`,
    held_by === null ? '' : HELD[held_by],
    others === 0 && told.rules.every(({ passing }) => passing === 0)
      ? 'No other party is searching in this queue.'
      : `${counted(fitting_all, 'other party passes', 'other parties pass')} all rules.`,
    seats === 0 ? '' : `${counted(seats, 'seat is', 'seats are')} still open.`,
    max_size_difference === null
      ? ''
      : `Partial fill would exceed the max team size difference of ${counted(max_size_difference, 'player')}.`,
    next_relaxation_seconds === null ? '' : `The requirements relax in ${span(next_relaxation_seconds)}.`,
    estimated_wait_seconds === null
      ? ''
      : `Median wait of parties of this size in the last hour: ${span(estimated_wait_seconds)}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function Rules({ of: { rules } }: { readonly of: QueueExplanation }) {
  return (
    <ul class="rules">
      {rules.map(({ type, field, passing, failing }) => (
        <li key={`${type} ${field}`}>
          <span>
            {field !== null && <Text>{field}</Text>} <span class="quiet small">{type.replaceAll('_', ' ')}</span>
          </span>
          <Meter
            value={failing}
            most={Math.max(1, passing + failing)}
            label={`${failing} of ${passing + failing} parties fail this rule`}
          />
          <span class="figures small">
            {counted(passing, 'party passes', 'parties pass')}, {counted(failing, 'fails', 'fail')}
          </span>
        </li>
      ))}
    </ul>
  )
}
