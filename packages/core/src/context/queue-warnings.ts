import { launchesServers } from '../ports/none'
import { versionToLaunch } from '../queue/decide'
import type { Queue } from '../queue/queue'
import type { Context } from './context'

/** A queue as it is answered. */
export interface QueueAnswer extends Queue {
  /** What would make its matches fail as things are, each a sentence for its developer; absent where nothing would. */
  readonly warnings?: readonly string[]
}

/** A queue may be there before its build, and is told so: its matches would find no server. */
export async function withWarnings(ctx: Context, queue: Queue): Promise<QueueAnswer> {
  const tag = versionToLaunch(queue, null, launchesServers(ctx.orchestrator))
  if (tag === undefined || (await ctx.storage.builds.newestReady(queue.projectId, tag)) !== undefined) return queue
  const warning = `no build named ${JSON.stringify(tag)} is ready (server_settings.version_tag): until one is, matches of this queue fail to launch a server`
  return { ...queue, warnings: [warning] }
}
