import type { Lobby } from '../lobby/lobby'
import { memberOf } from '../lobby/members'
import type { OnLobbyByBackend } from '../lobby/on-lobby'
import type { Service } from './service'

/**
 * Records that a member has read a lobby, which shows that the member is present. Reads with a server key do not count: a lobby can become
 * idle in spite of them (docs/http-api.md §6).
 */
export async function noteRead(ctx: Service, lobby: Lobby, { backend, playerId }: OnLobbyByBackend): Promise<void> {
  const member = backend ? undefined : memberOf(lobby, playerId)
  if (member !== undefined) await ctx.node.presence.touchMember(lobby, member.playerId, ctx.clock.now())
}
