import type { Service } from '../node/service'
import type { ClaimedJob } from '../ports/storage/index'
import { isLaunching, isWaiting } from '../server/game-server'
import { countOn, otherMachineFor } from './placing'

/**
 * Returns the machine that shall run a job of a game server, among those for which `isHosted` returns true: the machine of the server or, for
 * a launch without an attempt, the machine on which the server should start. Returns undefined for every other job.
 */
export async function machineForJob(
  ctx: Service,
  { payload: { instanceId } }: Pick<ClaimedJob, 'payload'>,
  isHosted: (machineId: string) => boolean,
): Promise<string | undefined> {
  const server = typeof instanceId === 'string' ? await ctx.storage.get('server', instanceId) : undefined
  if (server === undefined) return undefined
  if (server.nodeId !== null) return isHosted(server.nodeId) ? server.nodeId : undefined
  if (!isLaunching(server) || isWaiting(server)) return undefined
  const chosen = await otherMachineFor(ctx, server)
  if (chosen === undefined || !isHosted(chosen)) return undefined
  countOn(ctx, chosen, server)
  return chosen
}
