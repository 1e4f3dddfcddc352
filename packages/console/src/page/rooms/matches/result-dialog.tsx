import { isMatchyardError, type MatchSnapshot } from '@matchyard/client'
import type { MatchesResultBody } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { Button, Check, counted, Dialog, Input, issuesOf, Select, say, sentenceOf, Text } from '../../ui'
import { bodyOf, draftOf, faultSentence, isOrdered, type ResultDraft } from './result-draft'

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
    <Dialog
      title={amends ? 'Amend the result' : 'Record the result'}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={!isOrdered(draft.value)} onClick={record}>
            {amends ? 'Amend the result' : 'Record the result'}
          </Button>
        </>
      }
    >
      <div class="stack">
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
              <p key={sentence}>{sentence.slice(0, 400)}</p>
            ))}
          </div>
        )}
      </div>
    </Dialog>
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

interface FieldsProps {
  readonly draft: ResultDraft
  readonly onChange: (changes: Partial<ResultDraft>) => void
}

const ORDERS = [
  ['rank', 'Places'],
  ['score', 'Scores, higher is better'],
] as const

function TeamFields({ draft: { by, teams }, onChange }: FieldsProps) {
  const set = (place: number, changes: Partial<ResultDraft['teams'][number]>) =>
    onChange({ teams: teams.map((team, at) => (at === place ? { ...team, ...changes } : team)) })
  return (
    <fieldset class="result-fields">
      <legend>Teams</legend>
      <div class="result-order">
        <span>Ordered by</span>
        <Select label="Teams are ordered by" value={by} options={ORDERS} onChange={(next) => onChange({ by: next })} />
      </div>
      <Heads of={['', by === 'rank' ? 'Place' : '', 'Score']} />
      {teams.map(({ name, rank, score }, place) => (
        <div key={name} class="result-row">
          <Text>{name}</Text>
          {by === 'rank' ? (
            <Input
              type="number"
              min={1}
              step={1}
              aria-label={`Place of ${name}`}
              value={rank}
              onInput={(text) => set(place, { rank: text })}
            />
          ) : (
            <span />
          )}
          <Input
            type="number"
            step="any"
            aria-label={`Score of ${name}`}
            value={score}
            onInput={(text) => set(place, { score: text })}
          />
        </div>
      ))}
      {by === 'rank' && <p class="quiet small">1 is the best place. Teams with the same place share it.</p>}
    </fieldset>
  )
}

function PlayerFields({ draft: { players }, onChange }: FieldsProps) {
  const set = (place: number, changes: Partial<ResultDraft['players'][number]>) =>
    onChange({ players: players.map((player, at) => (at === place ? { ...player, ...changes } : player)) })
  if (players.length === 0) return null
  return (
    <fieldset class="result-fields">
      <legend>Players (optional)</legend>
      <Heads of={['', '', 'Score']} />
      {players.map(({ player_id, team, score, left }, place) => (
        <div key={player_id} class="result-row">
          <span class="result-name">
            <Text>{player_id}</Text>
            <span class="quiet small">
              <Text>{team}</Text>
            </span>
          </span>
          <Check checked={left} onChange={(next) => set(place, { left: next })}>
            Left<span class="unseen">: {player_id.slice(0, 64)}</span>
          </Check>
          <Input
            type="number"
            step="any"
            aria-label={`Score of ${player_id.slice(0, 64)}`}
            value={score}
            onInput={(text) => set(place, { score: text })}
          />
        </div>
      ))}
      <p class="quiet small">
        Left: the player left before the match was decided, and is rated as if their team alone was last.
      </p>
    </fieldset>
  )
}

/** Titles of the columns. The inputs have their own labels for screen readers. */
function Heads({ of }: { readonly of: readonly [string, string, string] }) {
  const [first, second, third] = of
  return (
    <div class="result-row head" aria-hidden="true">
      <span>{first}</span>
      <span>{second}</span>
      <span>{third}</span>
    </div>
  )
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
