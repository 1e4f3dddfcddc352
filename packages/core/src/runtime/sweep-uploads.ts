import type { Ports } from '../ports/ports'

/** Drops what broken-off uploads left on the disk. That it cannot be done now stands in the way of nothing: it is tried again. */
export async function sweepUploads(ctx: Ports): Promise<void> {
  try {
    await ctx.buildStore.sweep()
  } catch (error) {
    ctx.logger.warn('files of interrupted uploads could not be removed; retrying', { error: String(error) })
  }
}
