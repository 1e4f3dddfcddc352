import { spokenCall, spokenField } from '../errors/spoken-names'
import { nobodyServes } from '../machine/machine'
import type { Service } from '../node/service'
import { launchesServers } from '../ports/none'
import type { Ports } from '../ports/ports'
import { secretsOf } from '../project/secret'
import { buildToLaunch, mayLaunch, type WantedBuild } from '../queue/decide'
import type { Queue } from '../queue/queue'
import { type Environment, secretNamesIn } from '../server/environment'
import { hasTls } from '../server/game-server'
import { findBuild } from './find-build'
import { unservedOutcome } from './lobby-warnings'
import { liveMachines, unserved, usualRegion, withoutTls } from './machines'
import { requireQueue } from './require'

/** Queue as the calls of the service return it. */
export interface QueueAnswer extends Queue {
  /**
   * Warnings for the queue's developer about settings that make its matches fail or that have no effect. Absent when there are no warnings.
   */
  readonly warnings?: readonly string[]
}

/** Returns the queue with its warnings. A queue may be created before its build. Its matches then get no server, and a warning says so. */
export async function withWarnings(ctx: Service, queue: Queue): Promise<QueueAnswer> {
  const warnings = [
    ...(await withoutBuild(ctx, queue)),
    ...staysCold(ctx, queue),
    ...(await withoutSecrets(ctx, queue.projectId, queue.serverSettings?.environment)),
    ...(await withoutMachine(ctx, queue)),
    ...(await withoutCertificate(ctx, queue)),
  ]
  return warnings.length === 0 ? queue : { ...queue, warnings }
}

/** Returns the queue in its current state, with its warnings. Throws QUEUE_NOT_FOUND. */
export const queueNow = async (ctx: Service, projectId: string, queueId: string): Promise<QueueAnswer> =>
  withWarnings(ctx, await requireQueue(ctx, projectId, queueId))

async function withoutBuild(ctx: Ports, queue: Queue): Promise<string[]> {
  const wanted = buildToLaunch(queue, null, launchesServers(ctx.orchestrator))
  if (wanted === undefined) return []
  const found = await findBuild(ctx, queue.projectId, wanted)
  if (found.build !== undefined) return []
  const missing = wanted.pinnedVersion === undefined ? 'the build has a version that' : 'that version'
  return [
    `${found.why} (${settingOf(wanted)}): matches of this queue get no server until ${missing} is ready and enabled`,
  ]
}

/** Returns a warning when the queue names a region that no machine serves. */
async function withoutMachine(ctx: Service, queue: Queue): Promise<string[]> {
  const region = queue.serverSettings?.region
  if (region === undefined || !mayLaunch(queue, launchesServers(ctx.orchestrator))) return []
  if ((await unserved(ctx, [region])).length === 0) return []
  return [
    `${nobodyServes(region, liveMachines(ctx))} (${spokenField('serverSettings.region')}): a match of this queue ${unservedOutcome(ctx)}`,
  ]
}

/** Returns a warning when the queue has ports with TLS, and servers with such ports cannot start in its region. */
async function withoutCertificate(ctx: Service, queue: Queue): Promise<string[]> {
  const { networkPorts, region } = queue.serverSettings ?? {}
  if (networkPorts === undefined || !hasTls(networkPorts)) return []
  if (!mayLaunch(queue, launchesServers(ctx.orchestrator))) return []
  const fault = await withoutTls(ctx, region ?? (await usualRegion(ctx)))
  if (fault === undefined) return []
  return [
    `${fault} (${spokenField('serverSettings.networkPorts')}): servers of this queue fail until a machine has one`,
  ]
}

/** Returns a warning for each secret that the queue's variables name and the project does not have. */
async function withoutSecrets(ctx: Ports, projectId: string, environment: Environment | undefined): Promise<string[]> {
  if (environment === undefined) return []
  const names = secretNamesIn(environment)
  const project = names.length === 0 ? undefined : await ctx.storage.get('project', projectId)
  if (project === undefined) return []
  const known = secretsOf(project).map(({ name }) => name)
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const why = `the project has no secret ${JSON.stringify(name)} (${spokenField('serverSettings.environment')})`
      return `${why}: servers of this queue fail until it is set with ${spokenCall('secrets.set')}`
    })
}

/** Returns the name of the setting that selects the build. */
const settingOf = ({ pinnedVersion }: WantedBuild): string =>
  spokenField(pinnedVersion === undefined ? 'serverSettings.versionTag' : 'serverSettings.version')

/** Returns a warning when the queue has settings for warm servers and the orchestrator cannot start servers in advance. */
function staysCold({ orchestrator: { name, capabilities } }: Ports, { serverSettings }: Queue): string[] {
  if (serverSettings?.warm === undefined) return []
  const setting = spokenField('serverSettings.warm')
  const noEffect = `${setting} has no effect here: the orchestrator ${JSON.stringify(name)} cannot start a server`
  if (!capabilities.keepsWarm) return [`${noEffect} before its match`]
  const hasSecrets = secretNamesIn(serverSettings.environment ?? {}).length > 0
  if (!hasSecrets || capabilities.keepsSecretsCold !== true) return []
  return [`${noEffect} whose variables contain secrets (${spokenField('serverSettings.environment')}) before its match`]
}
