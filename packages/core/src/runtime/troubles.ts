import type { Context } from '../context/context'

/** Why one server could not be reconciled. */
export interface Trouble {
  readonly instanceId: string
  readonly error: string
}

/** What each node told last: a cluster that is away for an hour with all that runs in it is no reason for a line a second for each. */
const told = new WeakMap<Context, ReadonlySet<string>>()

/**
 * Tells each kind of trouble once, for as long as it lasts, and how many servers have it. `among`: that these were looked at alone, which does not say
 * that what others had is over.
 */
export function tellTroubles(
  ctx: Context,
  troubles: readonly Trouble[],
  { among }: { readonly among?: ReadonlySet<string> | undefined } = {},
): void {
  const known = told.get(ctx) ?? new Set()
  const byError = new Map<string, Trouble[]>()
  for (const trouble of troubles) byError.set(trouble.error, [...(byError.get(trouble.error) ?? []), trouble])
  for (const [error, [first, ...others]] of byError) {
    if (first === undefined || known.has(error)) continue
    ctx.logger.warn('a server could not be reconciled; it is tried again', {
      instance_id: first.instanceId,
      ...(others.length === 0 ? {} : { others: others.length }),
      error,
    })
  }
  told.set(ctx, new Set(among === undefined ? byError.keys() : [...known, ...byError.keys()]))
}
