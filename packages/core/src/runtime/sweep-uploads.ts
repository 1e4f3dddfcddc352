import type { Ports } from '../ports/ports'

/** Removes the files that interrupted uploads left on the disk. A failure is logged, and a later call removes the files. */
export async function sweepUploads(ctx: Ports): Promise<void> {
  try {
    await ctx.buildStore.sweep()
  } catch (error) {
    ctx.logger.warn('files of interrupted uploads could not be removed; retrying', { error: String(error) })
  }
}
