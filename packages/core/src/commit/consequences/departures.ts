import type { LobbyEvent } from '../../lobby/events'
import { endsLobby } from '../../lobby/evolve'
import type { Lobby } from '../../lobby/lobby'
import { leaveMatch } from '../../match/decide'
import { writeMatch } from '../rows/match'
import { stopServerOf } from './match-over'
import { withRequest } from './open-seats'
import type { Consequence } from './register'

/**
 * Applies the departure of players to their running match, in the commit of the departure (docs/http-api.md §6). The players are recorded
 * as gone in the match. When no lobby remains, the match ends and its server is stopped, so that no server runs without a match. When seats
 * are open and the queue's settings say so, the match requests new players.
 */
export const departures: Consequence<Lobby, LobbyEvent> = {
  after: ['player_left', 'lobby_deleted'],
  async run(ctx, draft, { before, events }) {
    if (before.matchId === null) return
    const playerIds = events.flatMap((event) => (event.type === 'player_left' ? [event.playerId] : []))
    const lobbyGone = endsLobby(events)
    const match = await ctx.storage.get('match', before.matchId)
    if (match === undefined) return
    const left = leaveMatch(match, { lobbyId: before.id, playerIds, lobbyGone, at: draft.at })
    const after = writeMatch(draft, match, await withRequest(ctx, match, left, draft.at))
    if (match.endedAt === null && after.endedAt !== null) {
      await stopServerOf(ctx, draft, match, 'all lobbies of its match have ended')
    }
  },
}
