import type { Context } from '../../context/context'
import { expireUpload } from '../../runtime/expire-upload'
import type { HandledJob } from './handled-job'

/** Ends the wait for an archive. */
export async function handleExpireUpload(ctx: Context, job: HandledJob): Promise<void> {
  await expireUpload(ctx, String(job.payload.buildId))
}
