import { orThrow, ServiceError } from '../errors/service-error'
import type { Ports } from '../ports/ports'
import type { GameServer } from '../server/game-server'
import { currentSpawn } from '../server/launch'
import type { SelfCall } from '../server/self-call'
import { requireServer } from './require'

/** Returns the game server that makes the call. Throws SERVER_NOT_FOUND, INVALID_SERVER_STATE. */
export async function requireSelf(ctx: Ports, input: SelfCall): Promise<GameServer> {
  const server = await requireServer(ctx, input, input.instanceId)
  orThrow(currentSpawn(server, input.attempt))
  return server
}

/**
 * Returns the match of the game server that makes the call. Throws MATCH_NOT_FOUND for a server that was launched without a match, and
 * INVALID_SERVER_STATE.
 */
export async function matchOfSelf(
  ctx: Ports,
  input: SelfCall,
): Promise<{ readonly projectId: string; readonly matchId: string }> {
  const { id, projectId, matchId } = await requireSelf(ctx, input)
  if (matchId === null) throw new ServiceError('MATCH_NOT_FOUND', `${id} was launched without a match`)
  return { projectId, matchId }
}
