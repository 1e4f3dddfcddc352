import { changeServer } from '../../commit/change-server'
import { unavailableInsteadOf } from '../../commit/transact'
import type { CallOptions, Context } from '../../context/context'
import { requireServer } from '../../context/require'
import { orThrow, ServiceError } from '../../errors/service-error'
import { restartServer as decideRestart, stopServer as decideStop } from '../../server/decide'
import type { GameServer } from '../../server/game-server'
import type { OnServer } from './read-servers'

/** Stops a server; one that is stopping or has ended is answered unchanged. Its match ends. Throws SERVER_NOT_FOUND. */
export async function stopServer(ctx: Context, input: OnServer): Promise<GameServer> {
  await unavailableInsteadOf(() => requireServer(ctx, input, input.instanceId))
  return existing(
    await changeServer(ctx, input.instanceId, (server) => ({ events: decideStop(server, 'stopped by request') })),
    input,
  )
}

/** Restarts the process in place, with the same id, ports and meter. Throws SERVER_NOT_FOUND, INVALID_SERVER_STATE. */
export async function restartServer(ctx: Context, input: OnServer, call?: CallOptions): Promise<GameServer> {
  await unavailableInsteadOf(() => requireServer(ctx, input, input.instanceId))
  const decide = (server: GameServer) => ({ events: orThrow(decideRestart(server, ctx.clock.now())) })
  return existing(await changeServer(ctx, input.instanceId, decide, call), input)
}

function existing(server: GameServer | undefined, input: OnServer): GameServer {
  if (server !== undefined) return server
  throw new ServiceError('SERVER_NOT_FOUND', `there is no server ${JSON.stringify(input.instanceId)}`)
}
