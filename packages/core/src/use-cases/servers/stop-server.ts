import type { CallOptions } from '../../commit/call-options'
import { ofServer } from '../../commit/of-server'
import { change, unavailableInsteadOf } from '../../commit/transact'
import { accept } from '../../errors/decision'
import type { Service } from '../../node/service'
import { noSuchServer, requireServer } from '../../reads/require'
import { decideRestartServer as decideRestart, decideStopServer as decideStop } from '../../server/decide'
import type { GameServer } from '../../server/game-server'
import type { OnServer } from './read-servers'

/** Stops a server; one that is stopping or has ended is answered unchanged. Its match ends. Throws SERVER_NOT_FOUND. */
export async function stopServer(ctx: Service, input: OnServer, call?: CallOptions): Promise<GameServer> {
  const { id } = await unavailableInsteadOf(() => requireServer(ctx, input, input.instanceId))
  const decide = (server: GameServer) => accept(...decideStop(server, 'stopped by request', 'server_stopped'))
  const after = await change(ctx, ofServer, id, decide, { call })
  return after ?? noSuchServer(id)
}

/** Restarts the process in place, with the same id, ports and meter. Throws SERVER_NOT_FOUND, INVALID_SERVER_STATE. */
export async function restartServer(ctx: Service, input: OnServer, call?: CallOptions): Promise<GameServer> {
  const { id } = await unavailableInsteadOf(() => requireServer(ctx, input, input.instanceId))
  const after = await change(ctx, ofServer, id, (server, { at }) => decideRestart(server, at), { call })
  return after ?? noSuchServer(id)
}
