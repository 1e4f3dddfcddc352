import type { Ports } from '../ports/ports'

/** Drops what broken-off uploads left on the disk. That it cannot be done now stands in the way of nothing: it is tried again. */
export async function sweepUploads(ctx: Ports): Promise<void> {
  try {
    await ctx.buildStore.sweep()
  } catch (error) {
    ctx.logger.warn('what broken-off uploads left could not be removed; it is tried again', { error: String(error) })
  }
}
