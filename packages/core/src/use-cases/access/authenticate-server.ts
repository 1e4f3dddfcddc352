import type { Caller } from '../../access/caller'
import { unavailableInsteadOf } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import type { Ports } from '../../ports/ports'
import { refusedServerToken, tokenHolds } from '../../server/launch'
import { readServerToken } from '../../tokens/server-token'

/** Caller that is a game server. */
export type GameServerCaller = Extract<Caller, { kind: 'game-server' }>

/**
 * Returns the game server to which a token belongs. The token is valid while the server is live and the token's attempt is the current
 * attempt. Throws INVALID_SESSION_TOKEN.
 */
export function authenticateServerToken(ctx: Ports, token: string): Promise<GameServerCaller> {
  return unavailableInsteadOf(async () => {
    const spawn = readServerToken(ctx.tokens, token)
    if ('fault' in spawn) throw ServiceError.of(refusedServerToken(spawn.fault).rejected)
    const { instanceId, attempt } = spawn
    const verdict = tokenHolds(await ctx.storage.get('server', instanceId), attempt)
    if (!verdict.ok) throw ServiceError.of(verdict.rejected)
    return { kind: 'game-server', instanceId, attempt, projectId: verdict.server.projectId }
  })
}
