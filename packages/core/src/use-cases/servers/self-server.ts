import { Draft } from '../../commit/draft'
import { ofServer } from '../../commit/of-server'
import { change, transact, unavailableInsteadOf } from '../../commit/transact'
import type { CallOptions, Context } from '../../context/context'
import type { SelfCall } from '../../context/inputs'
import { requireSelf } from '../../context/require-self'
import { configurationOf } from '../../context/server-configuration'
import { accept } from '../../errors/decision'
import { orThrow } from '../../errors/service-error'
import { stopServer } from '../../server/decide'
import { currentSpawn, declareReady } from '../../server/launch'
import type { JsonObject } from '../../shared/json'

export type { SelfCall }

/** The game server says that it takes players: it is `running` now. Again is fine. Throws INVALID_SERVER_STATE. */
export async function selfReady(ctx: Context, { instanceId, attempt }: SelfCall, call?: CallOptions): Promise<void> {
  await change(ctx, ofServer, instanceId, (server, { at }) => declareReady(server, { attempt, at }), { call })
}

/** The game server says that it is alive. Throws INVALID_SERVER_STATE. */
export async function selfHeartbeat(ctx: Context, input: SelfCall, call?: CallOptions): Promise<void> {
  await transact(ctx, call, async () => {
    const server = await requireSelf(ctx, input)
    await ctx.presence.touch(server.id, 'process', ctx.clock.now())
    return { draft: new Draft(ctx.clock.now()), answer: null }
  })
}

/** The game server asks to be stopped; its match ends. Again is fine. */
export async function selfShutdown(ctx: Context, { instanceId, attempt }: SelfCall, call?: CallOptions): Promise<void> {
  await change(
    ctx,
    ofServer,
    instanceId,
    (server) => {
      orThrow(currentSpawn(server, attempt))
      return accept(...stopServer(server, 'shut down by the game server', 'match_ended'))
    },
    { call },
  )
}

/** What the game server finds in its configuration file, as it is now. Throws INVALID_SERVER_STATE. */
export const selfGet = (ctx: Context, input: SelfCall): Promise<JsonObject> =>
  unavailableInsteadOf(async () => {
    const server = await requireSelf(ctx, input)
    return configurationOf(ctx, server, server.buildVersion ?? 0)
  })
