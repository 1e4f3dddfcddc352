import type { StartTeams } from './direct-teams'
import { isDirectStart, type Match } from './match'
import { isMade } from './proposal'

/** How a lobby plays again: it enters its queue, or it starts directly with these teams. */
export type Rematch = { readonly by: 'queue' } | { readonly by: 'start'; readonly teams: StartTeams }

/** Returns how the lobby came into its newest match of this list, newest first; undefined without a match of the lobby. */
export function rematchAs(matches: readonly Match[], lobbyId: string): Rematch | undefined {
  const last = matches.find((match) => isMade(match) && hasLobby(match, lobbyId))
  if (last === undefined) return undefined
  return isDirectStart(last) ? { by: 'start', teams: teamsOf(last) } : { by: 'queue' }
}

const hasLobby = ({ teams }: Match, lobbyId: string): boolean =>
  teams.some(({ players }) => players.some((player) => player.lobbyId === lobbyId))

/** A match does not record how its teams were formed, but its teams and the states of its players show it. */
function teamsOf({ teams }: Match): StartTeams {
  const chosen = teams.every(({ name, players }) => players.every(({ state }) => state.team === name))
  if (chosen) return 'state'
  return teams.length > 1 ? 'even' : 'one'
}
