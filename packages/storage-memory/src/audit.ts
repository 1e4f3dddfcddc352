import type { AuditEntry } from '@matchyard/core'
import {
  type AddressedAuditQuery,
  type AuditQuery,
  addressedAt,
  auditLabels,
  auditScope,
  playerLabel,
} from '@matchyard/core/ports'
import { byText, newestFirst } from './lobby-index'
import { countWithin, type MemoryData, stored, storedValues } from './memory-data'

/** Returns the readers of the audit log. Each filters all entries and sorts them. */
export function auditReaders(data: MemoryData) {
  const copies = (entries: readonly AuditEntry[]) => entries.flatMap(({ id }) => stored(data, 'audit', id)?.value ?? [])
  const all = (filter: (entry: AuditEntry) => boolean) => storedValues(data, 'audit').filter(filter)
  return {
    list: ({ scope, before, limit, maxBytes }: AuditQuery) => {
      const isAsked = (entry: AuditEntry) =>
        auditScope(entry) === scope && (before === undefined || newestFirst(before, entry) < 0)
      const entries = all(isAsked).sort(newestFirst).slice(0, limit)
      return copies(entries.slice(0, countWithin(data, 'audit', entries, maxBytes)))
    },
    listAddressed: ({ until, limit }: AddressedAuditQuery) => {
      const isAsked = (entry: AuditEntry) => (addressedAt(entry) ?? Number.POSITIVE_INFINITY) <= until
      const oldest = all(isAsked).sort((a, b) => a.createdAt - b.createdAt || byText(a.id, b.id))
      return copies(oldest.slice(0, limit))
    },
    ofPlayer: (projectId: string, playerId: string, limit: number) => {
      const names = (entry: AuditEntry) => auditLabels(entry).includes(playerLabel(projectId, playerId))
      return copies(all(names).sort(newestFirst).slice(0, limit))
    },
  }
}
