import type { Service } from '../node/service'

/** Reason why one server could not be reconciled. */
export interface Trouble {
  readonly instanceId: string
  readonly error: string
}

/**
 * Logs each error only once for as long as it lasts, with the number of affected servers. Otherwise a cluster that does not answer for an
 * hour would cause a log line per server and second. `among` has the servers of a pass over some of the servers. Errors of servers outside
 * such a pass count as lasting.
 */
export function tellTroubles(
  ctx: Service,
  troubles: readonly Trouble[],
  { among }: { readonly among?: ReadonlySet<string> | undefined } = {},
): void {
  const { troublesTold } = ctx.node
  const byError = new Map<string, Trouble[]>()
  for (const trouble of troubles) {
    const same = byError.get(trouble.error)
    if (same === undefined) byError.set(trouble.error, [trouble])
    else same.push(trouble)
  }
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
