import type { Context } from '../context/context'
import type { ObservedServer } from '../ports/orchestrator'

/** What this node's machine shows of an instance now, under whichever attempt it was spawned. */
export async function seenHere(ctx: Context, instanceId: string): Promise<ObservedServer[]> {
  return (await ctx.orchestrator.observe(instanceId)).filter((seen) => seen.instanceId === instanceId)
}

/** Whether any of these still runs. */
export const isAnyAlive = (seen: readonly ObservedServer[]): boolean => seen.some(({ state }) => state !== 'exited')
