import type { Matchyard } from '@matchyard/core'

/** Maximum number of remembered players; the oldest entries are forgotten first. */
const MAX_PLAYERS = 10_000

/**
 * Returns the last opponents of each player, from the library's events. Events are sent once, after their commit, on
 * the node that made the commit. With several nodes, or for data that must survive a restart, ask the service instead.
 */
export function matchBoard(events: Matchyard['events']) {
  const last = new Map<string, { match_id: string; opponents: readonly string[] }>()
  events.on('match_found', ({ match }) => {
    const players = match.teams.flatMap((team) => team.players.map(({ playerId }) => playerId))
    for (const playerId of players) {
      last.delete(playerId)
      last.set(playerId, { match_id: match.id, opponents: players.filter((other) => other !== playerId) })
    }
    for (const oldest of last.keys()) {
      if (last.size <= MAX_PLAYERS) break
      last.delete(oldest)
    }
  })
  return { opponentsOf: (playerId: string) => last.get(playerId) ?? { match_id: null, opponents: [] } }
}
