import type { Build, BuildLogLine } from '../build/build'
import { finishProcessing, isProcessing, type ProcessingResult } from '../build/decide'
import { Draft } from '../commit/draft'
import { jobs } from '../commit/jobs'
import { ofBuild } from '../commit/of-build'
import { apply, change } from '../commit/transact'
import { accept } from '../errors/decision'
import type { Service } from '../node/service'
import { type BuildLog, BuildStoreAway } from '../ports/build-store'
import type { Orchestrator } from '../ports/orchestrator'
import { MINUTE_MS } from '../shared/time'
import { noteArchive } from './unseen-archives'

/**
 * Maximum number of log lines that are kept of the processing of a build, and maximum characters of one line. Both are bounded because the
 * log is stored in the build's row.
 */
export const MAX_LOG_LINES = 500
const MAX_LOG_LINE = 2_000

/** Number of attempts after which a build fails whose processing makes the service crash again and again. */
const MAX_PROCESSING_TRIES = 5
/** Milliseconds after the upload in which this node leaves the build to other nodes if it cannot find the archive. */
const LEFT_TO_OTHERS_MS = MINUTE_MS
/** Milliseconds until any node looks for the archive again. */
const ELSEWHERE_AGAIN_MS = 1_000
/** Milliseconds after which a build store that does not answer is called again. */
const LOOK_AGAIN_MS = 5_000
/** Milliseconds for which the check of an image waits for an agent that runs containers. */
const AGENT_WITHIN_MS = 10 * MINUTE_MS

/**
 * Validates a build, and records the image digest or the archive that launches will use. The result is one commit, so after a crash the
 * whole processing is repeated.
 */
export function processBuild(ctx: Service, buildId: string, attempts: number): Promise<void> {
  // Only one run at a time is allowed. A large archive may take longer than the lease of its job, and another worker then claims the job
  // too.
  return ctx.node.turns.run(`process:${buildId}`, () => processInTurn(ctx, buildId, attempts))
}

async function processInTurn(ctx: Service, buildId: string, attempts: number): Promise<void> {
  const build = await ctx.storage.get('build', buildId)
  if (build === undefined || !isProcessing(build)) return
  const logs: BuildLogLine[] = []
  const log: BuildLog = (level, message) => {
    logs.push({ at: ctx.clock.now(), level, message: message.slice(0, MAX_LOG_LINE) })
    // When there are too many lines, the oldest and the newest lines are kept. The oldest lines show the request, and the newest lines show
    // the result.
    if (logs.length > MAX_LOG_LINES) logs.splice(MAX_LOG_LINES / 2, 1)
  }
  log('info', `processing ${build.name} version ${build.buildVersion}`)
  if (await isElsewhere(ctx, build)) return again(ctx, build, ELSEWHERE_AGAIN_MS)
  if (build.type === 'docker_image' && ctx.orchestrator.noMachine === true && imageCheckers(ctx).length === 0) {
    const now = ctx.clock.now()
    // Another node may have an agent that can check the image, and an agent that restarts is back within seconds.
    if (now < build.updatedAt + LEFT_TO_OTHERS_MS) return again(ctx, build, ELSEWHERE_AGAIN_MS)
    if (now < build.updatedAt + AGENT_WITHIN_MS) return again(ctx, build, LOOK_AGAIN_MS)
  }
  const result = attempts > MAX_PROCESSING_TRIES ? givenUp() : await examine(ctx, build, log).catch(unlessAway)
  if (result === 'away') return again(ctx, build, LOOK_AGAIN_MS)
  log(result.ok ? 'info' : 'error', result.ok ? 'ready' : result.message)
  await change(ctx, ofBuild, buildId, (now) => accept(...finishProcessing(now, { result, logs })))
}

/**
 * Schedules the job again without counting an attempt, because an archive or an agent that this node cannot reach is no fault of the build.
 */
async function again(ctx: Service, build: Build, ms: number): Promise<void> {
  const now = ctx.clock.now()
  await apply(ctx, new Draft(now).job(jobs.processBuild(build, now + ms)))
}

/** Whether this node cannot find the archive, although another node may have it. */
async function isElsewhere(ctx: Service, build: Build): Promise<boolean> {
  if (build.type !== 'zip' || ctx.clock.now() >= build.updatedAt + LEFT_TO_OTHERS_MS) return false
  const isSeen = await ctx.buildStore.has(build.id).catch(seenUnlessRead)
  noteArchive(ctx, build.id, isSeen)
  return !isSeen
}

/** Treats the archive as present when the build store does not answer. Reading the archive then fails with the same error. */
const seenUnlessRead = (error: unknown): true => {
  if (error instanceof BuildStoreAway) return true
  throw error
}

function unlessAway(error: unknown): 'away' {
  if (error instanceof BuildStoreAway) return 'away'
  throw error
}

const givenUp = (): ProcessingResult => ({
  ok: false,
  message: `processing did not finish in ${MAX_PROCESSING_TRIES} attempts`,
})

/** Maximum machines of agents that check one image. */
const MAX_IMAGE_CHECKERS = 3

type PreparedImage = Awaited<ReturnType<Orchestrator['prepareImage']>>

/**
 * Returns up to three orchestrators of hosted machines that check container images, by machine. Returns none when no agent of this node runs
 * containers.
 */
function imageCheckers({ node }: Service): readonly (readonly [string, Orchestrator])[] {
  return [...node.hosted]
    .map(([machine, place]) => [machine, place.orchestrator] as const)
    .filter(([, { capabilities }]) => capabilities.buildTypes.includes('docker_image'))
    .slice(0, MAX_IMAGE_CHECKERS)
}

/**
 * Checks a container image on this node, or on hosted machines. A machine of an agent may be broken, or lie, so the image is refused only
 * when each asked machine refuses it or does not answer. Rejects when no machine answers.
 */
async function prepareImage(ctx: Service, image: string, log: BuildLog): Promise<PreparedImage> {
  if (ctx.orchestrator.noMachine !== true) return ctx.orchestrator.prepareImage(image, log)
  const checkers = imageCheckers(ctx)
  if (checkers.length === 0) return NO_CHECKER
  let refused: PreparedImage | undefined
  let failure: unknown
  for (const [machine, orchestrator] of checkers) {
    try {
      const prepared = await orchestrator.prepareImage(image, log)
      if (prepared.ok) return prepared
      refused ??= prepared
      ctx.logger.warn('a machine refuses a container image', { machine, image, reason: prepared.message })
    } catch (error) {
      failure = error
      ctx.logger.warn('a machine did not check a container image', { machine, image, error: String(error) })
    }
  }
  if (refused === undefined) throw failure
  return refused
}

const NO_CHECKER = {
  ok: false,
  message: `no agent with ORCHESTRATOR=docker connected within ${AGENT_WITHIN_MS / MINUTE_MS} minutes; connect one, and register the image again`,
} as const

async function examine(ctx: Service, build: Build, log: BuildLog): Promise<ProcessingResult> {
  if (build.type === 'docker_image') {
    const image = await prepareImage(ctx, build.imageUrl ?? '', log)
    return image.ok ? { ok: true, sizeBytes: image.sizeBytes, imageDigest: image.image } : image
  }
  if (!(await ctx.buildStore.has(build.id)))
    return { ok: false, message: 'the uploaded archive is missing; upload it again' }
  const verdict = await ctx.buildStore.inspect(build.id, { executablePath: build.executablePath ?? '' }, log)
  return verdict.ok ? { ok: true, sizeBytes: build.sizeBytes, imageDigest: null } : verdict
}
