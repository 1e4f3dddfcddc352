import { ERASED, type Match, type MatchPlayer } from './match'

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
export const withoutPlayer = (match: Match, lobbyId: string, playerId: string, at: number): Match =>
  mark(match, (player) => player.lobbyId === lobbyId && player.playerId === playerId, at)

/** The roster with all players of a lobby marked as gone; the lobby is no longer in the match. */
export const withoutLobby = (match: Match, lobbyId: string, at: number): Match => ({
  ...mark(match, (player) => player.lobbyId === lobbyId, at),
  lobbyIds: match.lobbyIds.filter((id) => id !== lobbyId),
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
