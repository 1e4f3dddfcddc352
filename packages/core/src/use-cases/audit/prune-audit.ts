import { addressedAt, withoutAddress } from '../../audit/entry'
import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { Service } from '../../node/service'
import { Slices } from '../../node/slices'
import { DAY_MS } from '../../shared/time'

/** Milliseconds for which the audit log keeps the network addresses of authors: 30 days. */
export const AUDIT_ADDRESSES_KEPT_MS = 30 * DAY_MS
/** Maximum number of entries that one commit changes. */
const AT_ONCE = 100

/** Removes old network addresses from the audit log, in slices. The entries stay. */
export async function pruneAuditAddresses(ctx: Service): Promise<void> {
  const until = ctx.clock.now() - AUDIT_ADDRESSES_KEPT_MS
  const slices = new Slices(ctx)
  for (;;) {
    const found = await ctx.storage.audit.listAddressed({ until, limit: AT_ONCE })
    const ids = found.map(({ id }) => id)
    await transact(ctx, undefined, async () => {
      const draft = new Draft(ctx.clock.now())
      for (const entry of await ctx.storage.getMany('audit', ids))
        if (addressedAt(entry) !== null) draft.replace('audit', entry, withoutAddress(entry))
      return { draft, answer: null }
    })
    if (found.length < AT_ONCE) return
    await slices.pause()
  }
}
