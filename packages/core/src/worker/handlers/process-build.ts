import type { Context } from '../../context/context'
import { processBuild } from '../../runtime/process-build'
import type { HandledJob } from './handled-job'

/** Validates an uploaded archive or a registered image. */
export async function handleProcessBuild(ctx: Context, job: HandledJob): Promise<void> {
  await processBuild(ctx, String(job.payload.buildId), job.attempts)
}
