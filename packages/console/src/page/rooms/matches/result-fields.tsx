import { Check, Input, Select, Text } from '../../ui'
import type { ResultDraft } from './result-draft'

interface FieldsProps {
  readonly draft: ResultDraft
  readonly onChange: (changes: Partial<ResultDraft>) => void
}

const ORDERS = [
  ['rank', 'Places'],
  ['score', 'Scores, higher is better'],
] as const

/** Fields for the places and scores of the teams. */
export function TeamFields({ draft: { by, teams }, onChange }: FieldsProps) {
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

/** Fields for the scores of players, and for those who left. */
export function PlayerFields({ draft: { players }, onChange }: FieldsProps) {
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
