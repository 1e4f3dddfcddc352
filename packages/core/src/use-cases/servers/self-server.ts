import { changeServer } from '../../commit/change-server'
import { unavailableInsteadOf } from '../../commit/transact'
import type { CallOptions, Context } from '../../context/context'
import { requireServer } from '../../context/require'
import { ServiceError } from '../../errors/service-error'
import { stopServer } from '../../server/decide'
import { canMoveServer } from '../../server/evolve'
import type { GameServer } from '../../server/game-server'

/** A call of the game server itself, by the token of one attempt. */
export interface SelfCall {
  readonly instanceId: string
  readonly attempt: number
  readonly projectId: string
}

/** The game server says that it takes players: it is `running` now. Again is fine. Throws INVALID_SERVER_STATE. */
export async function selfReady(ctx: Context, input: SelfCall, call?: CallOptions): Promise<void> {
  await changeServer(
    ctx,
    input.instanceId,
    (server, plan) => {
      checkAttempt(server, input)
      if (server.status === 'running') return { events: [] }
      if (!server.attemptOpen || !canMoveServer(server, 'ready')) throw wrongState(server)
      return { events: [{ type: 'server_running', at: plan.at }] }
    },
    call,
  )
}

/** The game server says that it is alive. Throws INVALID_SERVER_STATE. */
export async function selfHeartbeat(ctx: Context, input: SelfCall, _call?: CallOptions): Promise<void> {
  await unavailableInsteadOf(async () => {
    const server = await requireServer(ctx, input, input.instanceId)
    checkAttempt(server, input)
    await ctx.presence.touch(server.id, 'process', ctx.clock.now())
  })
}

/** The game server asks to be stopped; its match ends. Again is fine. */
export async function selfShutdown(ctx: Context, input: SelfCall, call?: CallOptions): Promise<void> {
  await changeServer(
    ctx,
    input.instanceId,
    (server) => {
      checkAttempt(server, input)
      return { events: stopServer(server, 'shut down by the game server') }
    },
    call,
  )
}

function checkAttempt(server: GameServer, input: SelfCall): void {
  if (server.attempt !== input.attempt) throw wrongState(server)
}

const wrongState = (server: GameServer) =>
  new ServiceError('INVALID_SERVER_STATE', `server ${server.id} is ${server.status}, or another attempt of it runs`, {
    status: server.status,
  })
