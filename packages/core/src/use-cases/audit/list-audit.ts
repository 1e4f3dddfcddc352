import type { AuditEntry } from '../../audit/entry'
import { AUDIT_PAGE, DEFAULT_PAGE_LIMIT, MAX_LIST_BYTES } from '../../catalog/limits'
import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import { requireLimit, requirePlace } from '../../reads/cursor-page'
import { utf8Length } from '../../shared/json'
import { cursorOf, type Stretch } from '../../shared/place'

/** Part of the audit log. */
export interface ListAuditInput {
  /** Project whose changes are listed. With neither a project nor an account: the changes of the installation, such as of its machines. */
  readonly projectId?: string | undefined
  /** Account whose changes outside of projects are listed; used only without a project. */
  readonly accountId?: string | undefined
  /** Selects the entries of this call, for example `queues.update`. */
  readonly operation?: string | undefined
  /** Selects the entries of this author: the id of an account, a session or a key, or `operator` for commands of operators. */
  readonly actor?: string | undefined
  /** Selects the entries whose call applied to the thing or the player with this id. */
  readonly target?: string | undefined
  /** Cursor: `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
  /** Maximum number of entries on a page, 1 to 200. Default: 50. */
  readonly limit?: number | undefined
}

/** Page of the audit log, newest first. With a filter, a page may have fewer entries than the limit although more follow. */
export type AuditPage = Stretch<AuditEntry>

/** Maximum number of entries that one call examines for a filter. */
export const AUDIT_EXAMINED = 1_000
/** Number of entries that one read of the storage returns for a filter. */
const AT_ONCE = 200

/** Returns a page of the audit log, newest first. Throws VALIDATION_FAILED. */
export function listAudit(ctx: Ports, input: ListAuditInput): Promise<AuditPage> {
  const { projectId, accountId, cursor, limit = DEFAULT_PAGE_LIMIT } = input
  return unavailableInsteadOf(async () => {
    requireLimit(limit, AUDIT_PAGE)
    let at = cursor === undefined ? undefined : requirePlace(cursor)
    const hasFilter = [input.operation, input.actor, input.target].some((wanted) => wanted !== undefined)
    const data: AuditEntry[] = []
    let [bytes, examined] = [0, 0]
    const goingOn = (): AuditPage => ({ data, nextCursor: at === undefined ? null : cursorOf(at) })
    for (;;) {
      // One more entry than the page returns is read, to find out whether another page follows.
      const most = hasFilter ? Math.min(AT_ONCE, AUDIT_EXAMINED - examined) : limit + 1 - data.length
      const window = { limit: most, maxBytes: MAX_LIST_BYTES, ...(at && { before: at }) }
      const rows = await ctx.storage.audit.list({ scope: projectId ?? accountId ?? '', ...window })
      if (rows.length === 0) return { data, nextCursor: null }
      for (const row of rows) {
        examined++
        if (fits(row, input)) {
          bytes += utf8Length(JSON.stringify(row))
          if (data.length === limit || (data.length > 0 && bytes > MAX_LIST_BYTES)) return goingOn()
          data.push(row)
        }
        at = row
      }
      if (hasFilter && examined >= AUDIT_EXAMINED) return goingOn()
    }
  })
}

const fits = (entry: AuditEntry, { operation, actor, target }: ListAuditInput): boolean =>
  (operation === undefined || entry.operation === operation) &&
  (actor === undefined || idsOf(entry).includes(actor)) &&
  (target === undefined || entry.target?.id === target || entry.players.includes(target))

/** Returns the ids by which an author is found. */
function idsOf({ actor }: AuditEntry): readonly (string | undefined)[] {
  switch (actor.kind) {
    case 'session':
      return [actor.accountId, actor.sessionId]
    case 'key':
      return [actor.keyId, actor.person]
    case 'operator':
      return ['operator']
  }
}
