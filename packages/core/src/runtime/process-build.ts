import type { Build, BuildLogLine } from '../build/build'
import { finishProcessing, isProcessing, type ProcessingResult } from '../build/decide'
import { Draft } from '../commit/draft'
import { jobs } from '../commit/jobs'
import { ofBuild } from '../commit/of-build'
import { apply, change } from '../commit/transact'
import type { Context } from '../context/context'
import { accept } from '../errors/decision'
import { type BuildLog, BuildStoreAway } from '../ports/build-store'

/** Lines that are kept of one processing, and characters of one line: they are part of the build's row. */
export const MAX_LOG_LINES = 500
const MAX_LOG_LINE = 2_000

/** A build whose processing keeps taking its process down is given up. */
const MAX_PROCESSING_TRIES = 5
/** How soon to ask a build store again that does not answer. */
const LOOK_AGAIN_MS = 5_000

/**
 * Validates a build and pins what will run. The result is one commit; until then nothing has happened, so after a crash the
 * whole of it is done again.
 */
export function processBuild(ctx: Context, buildId: string, attempts: number): Promise<void> {
  // In turn, because a large archive may outlast the lease of its job, which is then claimed again.
  return ctx.turns.run(`process:${buildId}`, () => processInTurn(ctx, buildId, attempts))
}

async function processInTurn(ctx: Context, buildId: string, attempts: number): Promise<void> {
  const build = await ctx.storage.get('build', buildId)
  if (build === undefined || !isProcessing(build)) return
  const logs: BuildLogLine[] = []
  const log: BuildLog = (level, message) => {
    logs.push({ at: ctx.clock.now(), level, message: message.slice(0, MAX_LOG_LINE) })
    // The beginning says what was asked for, the end what came of it.
    if (logs.length > MAX_LOG_LINES) logs.splice(MAX_LOG_LINES / 2, 1)
  }
  log('info', `processing ${build.name} version ${build.buildVersion}`)
  const result = attempts > MAX_PROCESSING_TRIES ? givenUp() : await examine(ctx, build, log).catch(unlessAway)
  if (result === 'away') {
    // Put anew, so that this was no try: that the store is away says nothing about the build.
    const now = ctx.clock.now()
    await apply(ctx, new Draft(now).job(jobs.processBuild(build, now + LOOK_AGAIN_MS)))
    return
  }
  log(result.ok ? 'info' : 'error', result.ok ? 'ready' : result.message)
  await change(ctx, ofBuild, buildId, (now) => accept(...finishProcessing(now, { result, logs })))
}

function unlessAway(error: unknown): 'away' {
  if (error instanceof BuildStoreAway) return 'away'
  throw error
}

const givenUp = (): ProcessingResult => ({
  ok: false,
  message: `processing did not come to an end in ${MAX_PROCESSING_TRIES} attempts`,
})

async function examine(ctx: Context, build: Build, log: BuildLog): Promise<ProcessingResult> {
  if (build.type === 'docker_image') {
    const image = await ctx.orchestrator.prepareImage(build.imageUrl ?? '', log)
    return image.ok ? { ok: true, sizeBytes: image.sizeBytes, imageDigest: image.image } : image
  }
  if (!(await ctx.buildStore.has(build.id)))
    return { ok: false, message: 'the uploaded archive is gone; upload it again' }
  const verdict = await ctx.buildStore.inspect(build.id, { executablePath: build.executablePath ?? '' }, log)
  return verdict.ok ? { ok: true, sizeBytes: build.sizeBytes, imageDigest: null } : verdict
}
