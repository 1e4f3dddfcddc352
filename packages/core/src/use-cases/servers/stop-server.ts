import type { CallOptions } from '../../commit/call-options'
import { ofServer } from '../../commit/of-server'
import { change, unavailableInsteadOf } from '../../commit/transact'
import { accept } from '../../errors/decision'
import type { Service } from '../../node/service'
import { noSuchServer, requireServer } from '../../reads/require'
import { decideRestartServer as decideRestart, decideStopServer as decideStop } from '../../server/decide'
import type { GameServer } from '../../server/game-server'
import type { OnServer } from './read-servers'

export async function stopServer(ctx: Service, input: OnServer, call?: CallOptions): Promise<GameServer> {
  const { id } = await unavailableInsteadOf(() => requireServer(ctx, input, input.instanceId))
  const decide = (server: GameServer) => accept(...decideStop(server, 'stopped by request', 'server_stopped'))
  const after = await change(ctx, ofServer, id, decide, { call })
  return after ?? noSuchServer(id)
}

export async function restartServer(ctx: Service, input: OnServer, call?: CallOptions): Promise<GameServer> {
  const { id } = await unavailableInsteadOf(() => requireServer(ctx, input, input.instanceId))
  const after = await change(ctx, ofServer, id, (server, { at }) => decideRestart(server, at), { call })
  return after ?? noSuchServer(id)
}
