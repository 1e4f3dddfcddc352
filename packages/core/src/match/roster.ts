import { MAX_LEFT_PLAYERS } from '../catalog/limits'
import type { ProposalAnswer } from '../lobby/proposal'
import { withoutCounted } from '../rating/match-teams'
import type { JsonObject } from '../shared/json'
import { ERASED, type Match, type MatchPlayer, type MatchTeam } from './match'
import { withoutPlayerId } from './result'
import { withSeats } from './seats'

const mark = (match: Match, leaves: (player: MatchPlayer) => boolean, at: number): Match => ({
  ...match,
  teams: match.teams.map((team) => ({
    ...team,
    players: team.players.map((player) =>
      player.leftAt === null && leaves(player) ? { ...player, leftAt: at } : player,
    ),
  })),
})

/** Returns the ids of the players whom the match keeps out of other matches: the players still in it, unless it has ended. */
export const heldPlayers = ({ holdsPlayers, endedAt, teams }: Match): readonly string[] =>
  holdsPlayers === true && endedAt === null
    ? teams.flatMap(({ players }) =>
        players.flatMap(({ playerId, leftAt }) => (leftAt === null && playerId !== ERASED ? [playerId] : [])),
      )
    : []

/** Returns the match after one player has left. The player stays in the team, with the time of leaving. */
export const withPlayerGone = (match: Match, lobbyId: string, playerId: string, at: number): Match =>
  mark(match, (player) => player.lobbyId === lobbyId && player.playerId === playerId, at)

/** Returns the match after a lobby has left. Its players stay in their teams, with the time of leaving. */
export const withoutLobby = (match: Match, lobbyId: string, at: number): Match => ({
  ...mark(match, (player) => player.lobbyId === lobbyId, at),
  lobbyIds: match.lobbyIds.filter((id) => id !== lobbyId),
})

/** Returns the match with the answers of some players. */
export const withAnswers = (match: Match, playerIds: readonly string[], answer: ProposalAnswer): Match => ({
  ...match,
  teams: match.teams.map((team) => ({
    ...team,
    players: team.players.map((player) => (playerIds.includes(player.playerId) ? { ...player, answer } : player)),
  })),
})

/**
 * Returns the match after the erasure of a player's data: the seat and the score in the result stay, without the player's id, state and
 * figures. Seats that are kept for the player, or by the player, are freed.
 */
export const erased = (match: Match, playerId: string): Match => ({
  ...withSeats(match, (seat) => seat.playerId !== playerId && seat.keptBy !== playerId),
  ...(match.result === undefined ? {} : { result: withoutPlayerId(match.result, playerId) }),
  ...(match.counted === undefined ? {} : { counted: withoutCounted(match.counted, playerId) }),
  teams: match.teams.map((team) => ({
    ...team,
    players: team.players.map((player) =>
      player.playerId === playerId ? { ...player, playerId: ERASED, state: {} } : player,
    ),
  })),
})

function renewed({ state, hidden = [] }: MatchPlayer, given: JsonObject = state): Pick<MatchPlayer, 'state'> {
  const kept = Object.entries(state).filter(([field]) => hidden.includes(field))
  return { state: { ...given, ...Object.fromEntries(kept) } }
}

/** Returns the match with new states of some players who are still in it. Private fields are kept. */
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
        player.leftAt === null ? { ...player, ...renewed(player, states.get(player.playerId)) } : player,
      ),
    })),
  }
}

/**
 * Returns the match with the new players at the ends of their teams. Of the players who left, only the newest MAX_LEFT_PLAYERS are kept, so
 * that a match that lasts for days does not grow without limit.
 */
export function withNewcomers(match: Match, newcomers: readonly MatchTeam[], lobbyIds: readonly string[]): Match {
  const joined = match.teams.map((team) => {
    const own = newcomers.find(({ name }) => name === team.name)
    return own === undefined ? team : { ...team, players: [...team.players, ...own.players] }
  })
  const added = newcomers.filter(({ name }) => match.teams.every((team) => team.name !== name))
  return { ...match, teams: trimmed([...joined, ...added]), lobbyIds: [...match.lobbyIds, ...lobbyIds] }
}

/** Removes the states of players who have left. Of these players, only the newest are kept. */
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
