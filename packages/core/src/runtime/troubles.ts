import type { Service } from '../node/service'

/** Why one server could not be reconciled. */
export interface Trouble {
  readonly instanceId: string
  readonly error: string
}

/**
 * Tells each kind of trouble once, for as long as it lasts, and how many servers have it: a cluster that is away for an hour with all that runs in
 * it is no reason for a line a second for each. `among`: that these were looked at alone, which does not say
 * that what others had is over.
 */
export function tellTroubles(
  ctx: Service,
  troubles: readonly Trouble[],
  { among }: { readonly among?: ReadonlySet<string> | undefined } = {},
): void {
  const { troublesTold } = ctx.node
  const byError = new Map<string, Trouble[]>()
  for (const trouble of troubles) byError.set(trouble.error, [...(byError.get(trouble.error) ?? []), trouble])
  for (const [error, [first, ...others]] of byError) {
    if (first === undefined || troublesTold.has(error)) continue
    ctx.logger.warn('a server could not be reconciled; retrying', {
      instance_id: first.instanceId,
      ...(others.length === 0 ? {} : { others: others.length }),
      error,
    })
  }
  if (among === undefined) troublesTold.clear()
  for (const error of byError.keys()) troublesTold.add(error)
}
