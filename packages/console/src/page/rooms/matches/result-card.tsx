import type { MatchSnapshot } from '@matchyard/client'
import type { MatchResult } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { href } from '../../data/route'
import { Button, Card, Id, number, Status, Text, Time } from '../../ui'
import { now } from '../../ui/time'
import { mayReport, placesOf, teamOf } from './result'
import { ResultDialog } from './result-dialog'

/** Result of a match with the predicted probabilities of winning, and the action that records or amends it. */
export function ResultCard({ match, again }: { readonly match: MatchSnapshot; readonly again: () => Promise<void> }) {
  const { result } = match
  const edits = useSignal(false)
  const close = () => {
    edits.value = false
  }
  return (
    <Card
      title="Result"
      flush
      note={result === null ? 'none recorded' : <Recorded of={result} />}
      actions={
        mayReport(match, now.value) && (
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
        <p class="quiet card-body">{absenceOf(match)}</p>
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

const absenceOf = ({ started_at, ended_at }: MatchSnapshot): string => {
  if (started_at === null) return ended_at === null ? 'The match has not begun yet.' : 'The match never began.'
  return 'The game server or your backend reports the result, until 24 hours after the end of the match. You can record it here too.'
}

function Recorded({ of: { recorded_by, recorded_at, amended_at } }: { readonly of: MatchResult }) {
  return (
    <>
      {amended_at === null ? 'recorded' : 'amended'} {recorded_by === 'server' ? 'by the game server' : 'by a backend'}{' '}
      <Time at={amended_at ?? recorded_at} />
    </>
  )
}

function ResultTable({ match }: { readonly match: MatchSnapshot }) {
  const { result, quality, teams } = match
  const places = result === null ? undefined : placesOf(result)
  const rowsOf = (team: string | undefined) =>
    (result?.players ?? [])
      .filter(({ player_id }) => teamOf(match, player_id) === team)
      // Erased players have no id, so the key has the position too.
      .map((player, at) => (
        <PlayerRow key={`${at} ${player.player_id}`} of={player} hasQuality={quality !== undefined} />
      ))
  return (
    <table class="result-table">
      <thead>
        <tr class="result-head">
          <th scope="col">Team</th>
          {quality !== undefined && <th scope="col">Win probability</th>}
          <th scope="col">Place</th>
          <th scope="col">Score</th>
        </tr>
      </thead>
      {teams.map(({ name }, at) => (
        <tbody key={name}>
          <tr class="result-team">
            <th scope="row">
              <Text>{name}</Text>
            </th>
            {quality !== undefined && <td class="figures">{chance(quality.win_probability[at])}</td>}
            <td class="figures">{places?.get(name) ?? '–'}</td>
            <td class="figures">{scoreOf(result?.teams.find((team) => team.name === name)?.score)}</td>
          </tr>
          {rowsOf(name)}
        </tbody>
      ))}
      <tbody>{rowsOf(undefined)}</tbody>
    </table>
  )
}

const chance = (share: number | undefined): string => (share === undefined ? '–' : `${(100 * share).toFixed(0)} %`)
const scoreOf = (score: number | null | undefined): string =>
  score === null || score === undefined ? '–' : number(score)

/** Returns the figures of a player as text: `kills: 21, deaths: 4`. */
const statsOf = (stats: object): string =>
  Object.entries(stats)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')

function PlayerRow({
  of: { player_id, score, stats, left },
  hasQuality,
}: {
  readonly of: MatchResult['players'][number]
  readonly hasQuality: boolean
}) {
  return (
    <tr class="result-player">
      <th scope="row" colSpan={hasQuality ? 3 : 2}>
        {player_id === '' ? (
          <span class="quiet">erased player</span>
        ) : (
          <Id href={href('players', player_id)}>{player_id}</Id>
        )}
        {left && <Status tone="wait">Left</Status>}
        {stats !== undefined && (
          <span class="quiet small">
            <Text lines={3}>{statsOf(stats)}</Text>
          </span>
        )}
      </th>
      <td class="figures">{scoreOf(score)}</td>
    </tr>
  )
}
