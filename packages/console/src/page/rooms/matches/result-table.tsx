import type { MatchSnapshot } from '@matchyard/client'
import type { MatchResult } from '@matchyard/client/admin'
import { href } from '../../data/route'
import { Id, number, Status, Text } from '../../ui'
import { placesOf, teamOf } from './result'

/** Table of the teams of a match with their players: predicted probabilities of winning, places, scores and figures. */
export function ResultTable({ match }: { readonly match: MatchSnapshot }) {
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
