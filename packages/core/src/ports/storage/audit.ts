import type { AuditEntry } from '../../audit/entry'
import type { Place } from '../../shared/place'
import { DAY_MS, HOUR_MS, type Instant } from '../../shared/time'

/** Milliseconds for which entries of the audit log are kept, from their creation: 400 days. */
export const AUDIT_KEPT_MS = 4 * 100 * DAY_MS
/** Number of entries of one scope that are kept, the newest first. */
export const AUDIT_KEPT = 100_000
/** Milliseconds after its creation by which an entry is stored. Other nodes may have slower clocks. */
const AUDIT_SETTLED_MS = HOUR_MS

/**
 * Returns the instant since which a scope must have new entries to have too many of them, after a complete prune at an instant. So the cost
 * of a prune grows with the new entries and not with the number of scopes.
 */
export const auditSettledAt = (prunedAt: Instant): Instant => prunedAt - AUDIT_SETTLED_MS

export interface AuditQuery {
  /** Scope of the entries (`auditScope`): a project, an account, or empty for the installation. */
  readonly scope: string
  /** Selects the entries after this position. */
  readonly before?: Place
  readonly limit: number
  /** Maximum bytes, as in `ListWindow`. */
  readonly maxBytes?: number
}

/** Entries that have a network address and were created at or before an instant, in all scopes. */
export interface AddressedAuditQuery {
  readonly until: Instant
  readonly limit: number
}

/** Readers of the audit log. The cost of each grows with the size of the answer. */
export interface AuditReaders {
  /** Returns entries of a scope, newest first. Entries of the same instant are ordered by their ids. */
  list(query: AuditQuery): Promise<AuditEntry[]>
  /** Returns entries with a network address; the entry that was created first comes first. */
  listAddressed(query: AddressedAuditQuery): Promise<AuditEntry[]>
  /** Returns entries of a project that name the player, newest first. */
  ofPlayer(projectId: string, playerId: string, limit: number): Promise<AuditEntry[]>
}
