import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { ofServer } from '../../commit/of-server'
import { change, transact, unavailableInsteadOf } from '../../commit/transact'
import { accept } from '../../errors/decision'
import { orThrow } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { requireSelf } from '../../reads/require-self'
import { configurationOf } from '../../reads/server-configuration'
import { decideStopServer } from '../../server/decide'
import { currentSpawn, declareReady } from '../../server/launch'
import type { SelfCall } from '../../server/self-call'
import type { JsonObject } from '../../shared/json'

export type { SelfCall }

export async function selfReady(ctx: Service, { instanceId, attempt }: SelfCall, call?: CallOptions): Promise<void> {
  await change(ctx, ofServer, instanceId, (server, { at }) => declareReady(server, { attempt, at }), { call })
}

export async function selfHeartbeat(ctx: Service, input: SelfCall, call?: CallOptions): Promise<void> {
  await transact(ctx, call, async () => {
    const server = await requireSelf(ctx, input)
    await ctx.node.presence.touch(server.id, 'process', ctx.clock.now())
    return { draft: new Draft(ctx.clock.now()), answer: null }
  })
}

export async function selfShutdown(ctx: Service, { instanceId, attempt }: SelfCall, call?: CallOptions): Promise<void> {
  await change(
    ctx,
    ofServer,
    instanceId,
    (server) => {
      orThrow(currentSpawn(server, attempt))
      return accept(...decideStopServer(server, 'shut down by the game server', 'match_ended'))
    },
    { call },
  )
}

export const selfGet = (ctx: Ports, input: SelfCall): Promise<JsonObject> =>
  unavailableInsteadOf(async () => {
    const server = await requireSelf(ctx, input)
    return configurationOf(ctx, server, server.buildVersion ?? 0)
  })
