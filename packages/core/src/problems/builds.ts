import type { Context } from '../context/context'
import type { ProjectProblem } from '../context/problem'
import { launchesServers } from '../ports/none'
import { versionToLaunch } from '../queue/decide'
import type { Queue } from '../queue/queue'
import { HOUR_MS } from '../shared/time'
import { sentenceOf } from './sentence'

/** Builds that failed which are looked at: the newest. */
const LOOKED_AT = 10
/** A failure that nobody mended within a day is no news. */
const NEWS_FOR_MS = 24 * HOUR_MS

/** Queues whose matches find no server, because there is no build for it. */
export async function missingBuilds(ctx: Context, queues: readonly Queue[]): Promise<ProjectProblem[]> {
  const launches = launchesServers(ctx.orchestrator)
  const wanted = queues.flatMap((queue) => {
    const tag = versionToLaunch(queue, null, launches)
    return tag === undefined ? [] : [{ queue, tag }]
  })
  const there = new Map<string, boolean>()
  for (const { queue, tag } of wanted) {
    if (!there.has(tag)) there.set(tag, (await ctx.storage.builds.newestReady(queue.projectId, tag)) !== undefined)
  }
  return wanted
    .filter(({ tag }) => there.get(tag) === false)
    .map(({ queue, tag }) => ({
      code: 'build_not_ready',
      severity: 'error',
      sentence: sentenceOf(
        queue.queueId,
        `no build named ${tag} is ready, so its matches find no server`,
        'Upload one, or correct server_settings.version_tag.',
      ),
      subject: { kind: 'queue', id: queue.queueId },
      since: queue.updatedAt,
      count: 1,
      details: { versionTag: tag },
    }))
}

/** Builds that failed and that no later one of their name has replaced. */
export async function failedBuilds(ctx: Context, projectId: string): Promise<ProjectProblem[]> {
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
    const cause = build.errorMessage ?? 'nobody said why'
    found.push({
      code: 'build_failed',
      severity: 'warning',
      sentence: sentenceOf(`${build.name} ${build.buildVersion}`, `the build failed: ${cause}`, 'Upload it again.'),
      subject: { kind: 'build', id: build.id },
      since: build.updatedAt,
      count: 1,
      details: { cause, versionTag: build.name },
    })
  }
  return found
}
