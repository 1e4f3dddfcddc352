import type { LobbyEvent } from '../../lobby/events'
import { endsLobby } from '../../lobby/evolve'
import { leaversOf } from '../../lobby/leavers'
import type { Lobby } from '../../lobby/lobby'
import { bindsPlayers, leaveMatch } from '../../match/decide'
import type { Match } from '../../match/match'
import type { Ports } from '../../ports/ports'
import { leaverPenaltyOf } from '../../queue/queue'
import { isServing } from '../../server/game-server'
import { SECOND_MS } from '../../shared/time'
import type { Draft } from '../draft'
import { coolDown } from '../rows/cooldown'
import { writeMatch } from '../rows/match'
import { stopServerOf } from './match-over'
import { queueOf, withRequest } from './open-seats'
import type { Consequence } from './register'

/**
 * Applies the departure of players to their running match, in the commit of the departure (docs/http-api.md §6). The players are recorded
 * as gone in the match. When no lobby remains, the match ends and its server is stopped, so that no server runs without a match. When seats
 * are open and the queue's settings say so, the match requests new players. Players who leave get the penalty of the queue.
 */
export const departures: Consequence<Lobby, LobbyEvent> = {
  after: ['player_left', 'lobby_deleted'],
  async run(ctx, draft, { before, events }) {
    if (before.matchId === null) return
    const playerIds = events.flatMap((event) => (event.type === 'player_left' ? [event.playerId] : []))
    const lobbyGone = endsLobby(events)
    const match = await ctx.storage.get('match', before.matchId)
    if (match === undefined) return
    await penalise(ctx, draft, match, leaversOf(events))
    const left = leaveMatch(match, { lobbyId: before.id, playerIds, lobbyGone, at: draft.at })
    const after = writeMatch(draft, match, await withRequest(ctx, match, left, draft.at))
    if (match.endedAt === null && after.endedAt !== null) {
      await stopServerOf(ctx, draft, match, 'all lobbies of its match have ended')
    }
  },
}

/**
 * Adds the penalty of the queue for players who leave a running match. While the match's server is being restarted, leaving has no penalty.
 */
async function penalise(ctx: Ports, draft: Draft, match: Match, leavers: readonly string[]): Promise<void> {
  if (leavers.length === 0 || !bindsPlayers(match)) return
  const queue = await queueOf(ctx, match)
  const seconds = queue === undefined ? 0 : leaverPenaltyOf(queue)
  if (seconds === 0) return
  const server = match.serverId === null ? undefined : await ctx.storage.get('server', match.serverId)
  if (server !== undefined && !isServing(server)) return
  await coolDown(ctx, draft, match, leavers, draft.at + seconds * SECOND_MS)
}
