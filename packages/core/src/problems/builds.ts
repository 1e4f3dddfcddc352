import { queueLobbyCounter } from '../commit/counters'
import { spokenField } from '../errors/spoken-names'
import { launchesServers } from '../ports/none'
import type { Ports } from '../ports/ports'
import type { ProjectProblem } from '../project/problem'
import { buildToLaunch, type WantedBuild } from '../queue/decide'
import type { Queue } from '../queue/queue'
import { type FoundBuild, findBuild } from '../reads/find-build'
import { HOUR_MS } from '../shared/time'
import { sentenceOf } from './sentence'

/** Maximum failed builds that are examined, the newest first. */
const LOOKED_AT = 10
/** Milliseconds for which a failed build is reported: one day. */
const NEWS_FOR_MS = 24 * HOUR_MS

/** Returns a problem for each queue whose matches get no server because the build is missing. */
export async function missingBuilds(ctx: Ports, queues: readonly Queue[]): Promise<ProjectProblem[]> {
  const launches = launchesServers(ctx.orchestrator)
  const found = new Map<string, FoundBuild>()
  const problems: ProjectProblem[] = []
  for (const queue of queues) {
    const wanted = buildToLaunch(queue, null, launches)
    if (wanted === undefined) continue
    const key = JSON.stringify(wanted)
    const build = found.get(key) ?? (await findBuild(ctx, queue.projectId, wanted))
    found.set(key, build)
    if (build.build === undefined) problems.push(withoutBuild(queue, wanted, build.why, await isIdle(ctx, queue)))
  }
  return problems
}

/** Whether the queue has no lobbies, so that no player is affected. */
const isIdle = async ({ storage }: Ports, { id }: Queue): Promise<boolean> =>
  (await storage.counters.read(queueLobbyCounter(id))) === 0

const withoutBuild = (
  { queueId, updatedAt }: Queue,
  wanted: WantedBuild,
  why: string,
  idle: boolean,
): ProjectProblem => ({
  code: 'build_not_ready',
  severity: idle ? 'warning' : 'error',
  sentence: sentenceOf(
    queueId,
    `${why}, so matches of this queue get no server`,
    wanted.pinnedVersion === undefined
      ? `Upload such a build, or correct ${spokenField('serverSettings.versionTag')}.`
      : `Upload or enable this version, or change ${spokenField('serverSettings.version')}.`,
  ),
  subject: { kind: 'queue', id: queueId },
  since: updatedAt,
  count: 1,
  details: { versionTag: wanted.versionTag },
})

/** Returns a problem for each failed build, unless a later build of the same name is ready. */
export async function failedBuilds(ctx: Ports, projectId: string): Promise<ProjectProblem[]> {
  const { builds } = ctx.storage
  const { data } = await builds.list({ projectId, status: 'failed', limit: LOOKED_AT, offset: 0 })
  const since = ctx.clock.now() - NEWS_FOR_MS
  const found: ProjectProblem[] = []
  const seen = new Set<string>()
  for (const build of data) {
    if (build.updatedAt < since || seen.has(build.name)) continue
    seen.add(build.name)
    const ready = await builds.newestReady(projectId, build.name)
    if (ready !== undefined && ready.buildVersion > build.buildVersion) continue
    const cause = build.errorMessage ?? 'the build has no error message'
    found.push({
      code: 'build_failed',
      severity: 'warning',
      sentence: sentenceOf(
        `${build.name} ${build.buildVersion}`,
        `processing of the build failed: ${cause}`,
        'Upload it again.',
      ),
      subject: { kind: 'build', id: build.id },
      since: build.updatedAt,
      count: 1,
      details: { cause, versionTag: build.name },
    })
  }
  return found
}
