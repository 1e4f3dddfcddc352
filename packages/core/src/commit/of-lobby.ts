import { accept } from '../errors/decision'
import { asSeenBy } from '../lobby/as-seen'
import { withinSize } from '../lobby/decide'
import type { LobbyEvent } from '../lobby/events'
import { endsLobby } from '../lobby/evolve'
import type { Lobby } from '../lobby/lobby'
import { memberOf } from '../lobby/members'
import { proposalOf } from '../lobby/stay'
import { requireLobby } from '../reads/require'
import type { Aggregate } from './aggregate'
import { departures } from './consequences/departures'
import { proposalBroken } from './consequences/proposal-broken'
import { registerConsequences } from './consequences/register'
import { writeLobby } from './rows/lobby'

export interface OnOneLobby {
  readonly projectId: string
  readonly lobbyId: string
  /** Acting player, whose presence is recorded with the change; undefined for the service itself and for backends. */
  readonly playerId?: string | undefined
}

/**
 * Functions that read and change a lobby. A change writes the lobby's row, its ticket, the counter of its queue and one stream event. They
 * throw LOBBY_NOT_FOUND, PAYLOAD_TOO_LARGE.
 */
export const ofLobby: Aggregate<Lobby, LobbyEvent, OnOneLobby> = {
  turn: ({ lobbyId }) => lobbyId,
  read: (ctx, { projectId, lobbyId }) => requireLobby(ctx, projectId, lobbyId),
  write: writeLobby,
  judge: (after, { playerId }) => (playerId === undefined ? accept() : withinSize(after)),
  isContended: (before) => proposalOf(before) !== undefined,
  carry: registerConsequences(departures, proposalBroken),
  seen: (now, { playerId }) => asSeenBy(now, { playerId, backend: playerId === undefined }),
  async settle(ctx, { playerId }, { events, after }) {
    // The presence of players in a deleted lobby must not be recorded.
    if (endsLobby(events)) return
    const gone = events.flatMap((event) => (event.type === 'player_left' ? [event.playerId] : []))
    if (gone.length > 0) await ctx.node.presence.gone(after.id, gone, ctx.clock.now())
    if (playerId === undefined || memberOf(after, playerId) === undefined) return
    await ctx.node.presence.touchMember(after, playerId, ctx.clock.now())
  },
}
