import type { Service } from '../node/service'
import { buildToLaunch } from '../queue/decide'
import { findBuild } from '../reads/find-build'

/** Whether a live server of the machine, or a queue that keeps servers warm, needs the archive of a build. */
export async function needsBuild(
  ctx: Service,
  { machineId, buildId }: { readonly machineId: string; readonly buildId: string },
): Promise<boolean> {
  const live = await ctx.storage.servers.listLive(machineId)
  if (live.some((server) => server.buildId === buildId)) return true
  for (const queue of await ctx.storage.queues.listWarm()) {
    const wanted = buildToLaunch(queue, null, true)
    const found = wanted === undefined ? undefined : await findBuild(ctx, queue.projectId, wanted)
    if (found?.build?.id === buildId) return true
  }
  return false
}
