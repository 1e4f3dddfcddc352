import { MAX_LEFT_PLAYERS } from '../catalog/limits'
import type { ProposalAnswer } from '../lobby/proposal'
import type { JsonObject } from '../shared/json'
import { ERASED, type Match, type MatchPlayer, type MatchTeam } from './match'

const mark = (match: Match, leaves: (player: MatchPlayer) => boolean, at: number): Match => ({
  ...match,
  teams: match.teams.map((team) => ({
    ...team,
    players: team.players.map((player) =>
      player.leftAt === null && leaves(player) ? { ...player, leftAt: at } : player,
    ),
  })),
})

/** The roster with one player marked as gone. */
export const withPlayerGone = (match: Match, lobbyId: string, playerId: string, at: number): Match =>
  mark(match, (player) => player.lobbyId === lobbyId && player.playerId === playerId, at)

/** The roster with all players of a lobby marked as gone; the lobby is no longer in the match. */
export const withoutLobby = (match: Match, lobbyId: string, at: number): Match => ({
  ...mark(match, (player) => player.lobbyId === lobbyId, at),
  lobbyIds: match.lobbyIds.filter((id) => id !== lobbyId),
})

/** The roster with the answers of some. */
export const withAnswers = (match: Match, playerIds: readonly string[], answer: ProposalAnswer): Match => ({
  ...match,
  teams: match.teams.map((team) => ({
    ...team,
    players: team.players.map((player) => (playerIds.includes(player.playerId) ? { ...player, answer } : player)),
  })),
})

/** The roster with a player's place in it, and nothing that says whose it was. */
export const erased = (match: Match, playerId: string): Match => ({
  ...match,
  teams: match.teams.map((team) => ({
    ...team,
    players: team.players.map((player) =>
      player.playerId === playerId ? { ...player, playerId: ERASED, state: {} } : player,
    ),
  })),
})

/** The roster with other states of some who still play. */
export function withStates(
  match: Match,
  players: readonly { readonly playerId: string; readonly state: JsonObject }[],
): Match {
  const states = new Map(players.map(({ playerId, state }) => [playerId, state]))
  return {
    ...match,
    teams: match.teams.map((team) => ({
      ...team,
      players: team.players.map((player) =>
        player.leftAt === null ? { ...player, state: states.get(player.playerId) ?? player.state } : player,
      ),
    })),
  }
}

/** The roster with newcomers at the ends of their teams. A match that goes on for days does not keep everybody who ever left it. */
export function withNewcomers(match: Match, newcomers: readonly MatchTeam[], lobbyIds: readonly string[]): Match {
  const joined = match.teams.map((team) => {
    const own = newcomers.find(({ name }) => name === team.name)
    return own === undefined ? team : { ...team, players: [...team.players, ...own.players] }
  })
  const added = newcomers.filter(({ name }) => match.teams.every((team) => team.name !== name))
  return { ...match, teams: trimmed([...joined, ...added]), lobbyIds: [...match.lobbyIds, ...lobbyIds] }
}

/** Removes the states of players who have left, and keeps only the newest of these players. */
function trimmed(teams: readonly MatchTeam[]): MatchTeam[] {
  const left = teams.flatMap(({ players }) => players.flatMap(({ leftAt }) => leftAt ?? [])).sort((a, b) => b - a)
  const since = left[MAX_LEFT_PLAYERS - 1] ?? 0
  return teams.map((team) => ({
    ...team,
    players: team.players
      .filter(({ leftAt }) => leftAt === null || leftAt >= since)
      .map((player) => (player.leftAt === null ? player : { ...player, state: {} })),
  }))
}
