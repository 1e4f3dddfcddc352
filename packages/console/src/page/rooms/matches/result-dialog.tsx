import { isMatchyardError, type MatchSnapshot } from '@matchyard/client'
import type { MatchesResultBody } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { Check, counted, FormDialog, issuesOf, say, sentenceOf, Text } from '../../ui'
import { bodyOf, draftOf, faultSentence, isOrdered, type ResultDraft } from './result-draft'
import { PlayerFields, TeamFields } from './result-fields'

interface ResultDialogProps {
  readonly match: MatchSnapshot
  readonly onClose: () => void
  readonly onRecorded: () => void
}

/** Dialog that records the result of a match, or amends the recorded one. */
export function ResultDialog({ match, onClose, onRecorded }: ResultDialogProps) {
  const { admin } = useProject()
  const amends = match.result !== null
  const draft = useSignal(draftOf(match))
  const refusal = useSignal<readonly string[]>([])
  const edit = (changes: Partial<ResultDraft>) => {
    draft.value = { ...draft.value, ...changes }
  }
  const record = async () => {
    const body = bodyOf(draft.value, amends)
    refusal.value = []
    try {
      await admin.matches.result(match.match_id, body)
      say(amends ? 'The result is amended.' : 'The result is recorded.')
      onRecorded()
    } catch (error) {
      refusal.value = refusalOf(error, body)
    }
  }
  return (
    <FormDialog
      title={amends ? 'Amend the result' : 'Record the result'}
      onClose={onClose}
      confirm={amends ? 'Amend the result' : 'Record the result'}
      disabled={!isOrdered(draft.value)}
      onConfirm={record}
    >
      <TeamFields draft={draft.value} onChange={edit} />
      <PlayerFields draft={draft.value} onChange={edit} />
      <div class="stack tight">
        <Check checked={draft.value.completed} onChange={(completed) => edit({ completed })}>
          The match was played to its end
        </Check>
        {!draft.value.completed && (
          <p class="quiet small">Without this, the result changes no rating and no calibration.</p>
        )}
        {match.ended_at === null && (
          <Check checked={draft.value.end} onChange={(end) => edit({ end })}>
            End the match for all players
          </Check>
        )}
      </div>
      {amends && <Amending match={match} />}
      {refusal.value.length > 0 && (
        <div class="notice bad" role="alert">
          {refusal.value.slice(0, 5).map((sentence) => (
            <p key={sentence}>
              <Text lines={4}>{sentence}</Text>
            </p>
          ))}
        </div>
      )}
    </FormDialog>
  )
}

/** Returns the refusal of a result as sentences. */
function refusalOf(error: unknown, body: MatchesResultBody): readonly string[] {
  if (isMatchyardError(error, 'RESULT_EXISTS') && body.amend !== true) {
    return ['Another result was recorded meanwhile. Close this dialog to read it; then you can amend it.']
  }
  const issues = issuesOf(error)
  return issues.length === 0 ? [sentenceOf(error)] : issues.map((issue) => faultSentence(issue, body))
}

/** Effects of an amendment, as sentences. */
function Amending({ match: { result } }: { readonly match: MatchSnapshot }) {
  const erased = result?.players.filter(({ player_id }) => player_id === '').length ?? 0
  const hasStats = result?.players.some(({ stats }) => stats !== undefined) === true
  return (
    <p class="quiet small">
      The ratings of the players change by the difference of both results; later matches are not computed again.
      {hasStats && ' The stats of the players stay.'}
      {erased > 0 && ` The scores of ${counted(erased, 'erased player')} are removed from the result.`}
    </p>
  )
}
