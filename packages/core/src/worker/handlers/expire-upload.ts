import { expireUpload } from '../../use-cases/builds/expire-upload'
import type { Context } from '../../use-cases/context'
import type { HandledJob } from './handled-job'

/** Ends the wait for an archive. */
export async function handleExpireUpload(ctx: Context, job: HandledJob): Promise<void> {
  await expireUpload(ctx, String(job.payload.buildId))
}
