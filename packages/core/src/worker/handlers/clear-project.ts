import type { Context } from '../../context/context'
import { clearProject } from '../../use-cases/projects/clear-project'
import type { HandledJob } from './handled-job'

/** Ends what a deleted project leaves behind. */
export async function handleClearProject(ctx: Context, job: HandledJob): Promise<void> {
  await clearProject(ctx, String(job.payload.projectId))
}
