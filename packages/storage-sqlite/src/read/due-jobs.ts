import type { Instant } from '@matchyard/core'
import { type DueJobs, type KindAgenda, MAX_DUE_COUNTED } from '@matchyard/core/ports'
import type { Statements } from '../statements/index'

/** A number lower than every instant. */
const BEFORE_ALL = -1

export function agenda({ jobs }: Statements, kinds: readonly string[], now: Instant): KindAgenda[] {
  const lapsed = new Set(jobs.lapsed.all({ now }).map(({ kind }) => kind))
  return kinds.flatMap((kind) => {
    const first = jobs.nextRunAt.get(kind, BEFORE_ALL) ?? undefined
    const isDue = (first !== undefined && first <= now) || lapsed.has(kind)
    if (first === undefined && !isDue) return []
    const nextAt = first !== undefined && first <= now ? (jobs.nextRunAt.get(kind, now) ?? undefined) : first
    return { kind, isDue, nextAt }
  })
}

export function dueJobs({ jobs }: Statements, now: Instant): DueJobs[] {
  const due = new Map<string, DueJobs>()
  const add = (kind: string, count: number, oldestAt: Instant) => {
    const before = due.get(kind) ?? { count: 0, oldestAt }
    const sum = Math.min(before.count + count, MAX_DUE_COUNTED)
    due.set(kind, { kind, count: sum, oldestAt: Math.min(before.oldestAt, oldestAt) })
  }
  for (let kind = jobs.kindAfter.get(''); kind != null; kind = jobs.kindAfter.get(kind)) {
    const { count = 0, oldestAt = null } = jobs.due.get({ kind, now, limit: MAX_DUE_COUNTED }) ?? {}
    if (oldestAt !== null) add(kind, count, oldestAt)
  }
  for (const { kind, runAt } of jobs.lapsed.all({ now })) add(kind, 1, runAt)
  return [...due.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1))
}
