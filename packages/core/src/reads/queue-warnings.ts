import { launchesServers } from '../ports/none'
import type { Ports } from '../ports/ports'
import { buildToLaunch, type WantedBuild } from '../queue/decide'
import type { Queue } from '../queue/queue'
import { findBuild } from './find-build'
import { requireQueue } from './require'

/** A queue as it is answered. */
export interface QueueAnswer extends Queue {
  /** Warnings for the queue's developer: settings that would make its matches fail, or have no effect; absent without any. */
  readonly warnings?: readonly string[]
}

/** A queue may be there before its build, and is told so: its matches would find no server. */
export async function withWarnings(ctx: Ports, queue: Queue): Promise<QueueAnswer> {
  const warnings = [...(await withoutBuild(ctx, queue)), ...staysCold(ctx, queue)]
  return warnings.length === 0 ? queue : { ...queue, warnings }
}

/** A queue as it is now, as it is answered. Throws QUEUE_NOT_FOUND. */
export const queueNow = async (ctx: Ports, projectId: string, queueId: string): Promise<QueueAnswer> =>
  withWarnings(ctx, await requireQueue(ctx, projectId, queueId))

async function withoutBuild(ctx: Ports, queue: Queue): Promise<string[]> {
  const wanted = buildToLaunch(queue, null, launchesServers(ctx.orchestrator))
  if (wanted === undefined) return []
  const found = await findBuild(ctx, queue.projectId, wanted)
  if (found.build !== undefined) return []
  return [`${found.why} (${settingOf(wanted)}): until one is, matches of this queue fail to launch a server`]
}

/** The setting that decides which build it is. */
const settingOf = ({ pinnedVersion }: WantedBuild): string =>
  pinnedVersion === undefined ? 'server_settings.version_tag' : 'server_settings.version'

/** Where nothing can be started beforehand, a queue that asks for it goes on as if it did not. */
function staysCold({ orchestrator: { name, capabilities } }: Ports, { serverSettings }: Queue): string[] {
  if (serverSettings?.warm === undefined || capabilities.keepsWarm) return []
  return [
    `server_settings.warm has no effect here: the orchestrator ${JSON.stringify(name)} starts no server before its match`,
  ]
}
