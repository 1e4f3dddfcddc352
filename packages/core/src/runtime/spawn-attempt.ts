import type { Build } from '../build/build'
import { spanAttributesOf } from '../commit/spans'
import type { LaunchResult } from '../ports/orchestrator'
import type { Ports } from '../ports/ports'
import type { GameServer } from '../server/game-server'
import { specOf } from './launch-spec'

/** Launches the recorded attempt through the orchestrator, as a span in the trace of the server. */
export async function spawnAttempt(ctx: Ports, server: GameServer, build: Build): Promise<LaunchResult> {
  const { name } = ctx.orchestrator
  const spec = await specOf(ctx, server, build)
  if ('refused' in spec) return { ok: false, reason: 'final', message: spec.refused }
  if (server.trace === undefined) return ctx.orchestrator.launch(spec)
  const attributes = { ...spanAttributesOf(server), 'matchyard.orchestrator': name }
  const span = ctx.tracing.start(`spawn ${name}`, { kind: 'client', parent: server.trace, attributes })
  const result = await ctx.tracing.within(span.traceparent, () => ctx.orchestrator.launch(spec))
  span.end({ error: result.ok ? undefined : result.reason })
  return result
}
