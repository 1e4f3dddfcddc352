import type { MatchSnapshot } from '@matchyard/client'
import type { MatchResult } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { Button, Card, Status, Time } from '../../ui'
import { now } from '../../ui/time'
import { mayReport } from './result'
import { ResultDialog } from './result-dialog'
import { ResultTable } from './result-table'

/** Result of a match with the predicted probabilities of winning, and the action that records or amends it. */
export function ResultCard({ match, again }: { readonly match: MatchSnapshot; readonly again: () => Promise<void> }) {
  const { result } = match
  const edits = useSignal(false)
  const isOpen = mayReport(match, now.value)
  const close = () => {
    edits.value = false
  }
  return (
    <Card
      title="Result"
      flush
      note={result === null ? 'none recorded' : <Recorded of={result} isFinal={!isOpen} />}
      actions={
        isOpen && (
          <Button small onClick={() => (edits.value = true)}>
            {result === null ? 'Record the result' : 'Amend'}
          </Button>
        )
      }
    >
      {result?.completed === false && (
        <p class="result-notice">
          <Status tone="still">Not completed</Status> The match was not played to its end, so it counts for no rating.
        </p>
      )}
      {result === null && match.quality === undefined ? (
        <p class="quiet card-body">{absenceOf(match, isOpen)}</p>
      ) : (
        <ResultTable match={match} />
      )}
      {edits.value && (
        <ResultDialog
          match={match}
          onClose={close}
          onRecorded={() => {
            close()
            void again()
          }}
        />
      )}
    </Card>
  )
}

const absenceOf = ({ started_at, ended_at }: MatchSnapshot, isOpen: boolean): string => {
  if (started_at === null) return ended_at === null ? 'The match has not begun yet.' : 'The match never began.'
  if (!isOpen) return 'No result was recorded until 24 hours after the end of the match.'
  return 'The game server or your backend reports the result, until 24 hours after the end of the match. You can record it here too.'
}

function Recorded({
  of: { recorded_by, recorded_at, amended_at },
  isFinal,
}: {
  readonly of: MatchResult
  readonly isFinal: boolean
}) {
  return (
    <>
      {amended_at === null ? 'recorded' : 'amended'} {recorded_by === 'server' ? 'by the game server' : 'by a backend'}{' '}
      <Time at={amended_at ?? recorded_at} />
      {isFinal && ', final'}
    </>
  )
}
