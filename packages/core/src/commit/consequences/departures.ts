import type { LobbyEvent } from '../../lobby/events'
import { endsLobby } from '../../lobby/evolve'
import type { Lobby } from '../../lobby/lobby'
import { leaveMatch } from '../../match/decide'
import { writeMatch } from '../rows/match'
import { stopServerOf } from './match-over'
import { withRequest } from './open-seats'
import type { Consequence } from './register'

/**
 * When players of a running match leave, its roster marks them; when the last lobby of a match is gone, the match is over
 * and its server is stopped (docs/http-api.md §6), all in the commit of the departure: no server is ever left without a match.
 * A match that is left short asks for newcomers there too, where its queue has it so.
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
      await stopServerOf(ctx, draft, match, 'all lobbies of its match are gone')
    }
  },
}
