import type { Instant } from '@matchyard/core'
import { type ClaimedJob, type ClaimRequest, type DueJobs, MAX_DUE_COUNTED, takeTurns } from '@matchyard/core/ports'
import type { MemoryData, StoredJob } from './memory-data'

const isDue = (job: StoredJob, now: Instant) => job.runAt <= now && (job.claim === undefined || job.claim.until <= now)

export function dueJobs(data: MemoryData, now: Instant): DueJobs[] {
  const byKind = new Map<string, DueJobs>()
  for (const job of data.jobs.values()) {
    if (!isDue(job, now)) continue
    const { count, oldestAt } = byKind.get(job.kind) ?? { count: 0, oldestAt: job.runAt }
    const next = { count: Math.min(count + 1, MAX_DUE_COUNTED), oldestAt: Math.min(oldestAt, job.runAt) }
    byKind.set(job.kind, { kind: job.kind, ...next })
  }
  return [...byKind.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1))
}

export function claimJobs(data: MemoryData, request: ClaimRequest): ClaimedJob[] {
  const { kinds, now, leaseMs, holder } = request
  const claimable = [...data.jobs.values()].filter((job) => isDue(job, now) && kinds.includes(job.kind))
  return takeTurns(claimable, request).map((job) => hold(data, job, { holder, until: now + leaseMs }))
}

export function takeJob(
  data: MemoryData,
  id: string,
  { now, leaseMs, holder }: Pick<ClaimRequest, 'now' | 'leaseMs' | 'holder'>,
): ClaimedJob | undefined {
  const job = data.jobs.get(id)
  const isFree = job !== undefined && (job.claim === undefined || job.claim.until <= now)
  return isFree ? hold(data, job, { holder, until: now + leaseMs }) : undefined
}

function hold(data: MemoryData, job: StoredJob, claim: { holder: string; until: Instant }): ClaimedJob {
  const { id, kind, runAt, tenant } = job
  const token = String(++data.sequence)
  const attempts = job.attempts + 1
  data.jobs.set(id, { ...job, attempts, claim: { token, ...claim } })
  const lapsed = job.claim !== undefined
  return { id, kind, runAt, tenant, payload: JSON.parse(job.payload), attempts, lapsed, token }
}

const held = (data: MemoryData, claimed: ClaimedJob): StoredJob | undefined => {
  const job = data.jobs.get(claimed.id)
  return job?.claim?.token === claimed.token ? job : undefined
}

export function renewJobs(data: MemoryData, jobs: readonly ClaimedJob[], until: Instant): ClaimedJob[] {
  return jobs.filter((claimed) => {
    const job = held(data, claimed)
    if (job?.claim !== undefined) data.jobs.set(job.id, { ...job, claim: { ...job.claim, until } })
    return job !== undefined
  })
}

export function completeJob(data: MemoryData, claimed: ClaimedJob): boolean {
  return held(data, claimed) !== undefined && data.jobs.delete(claimed.id)
}

export function retryJob(data: MemoryData, claimed: ClaimedJob, runAt: Instant): boolean {
  const job = held(data, claimed)
  if (job === undefined) return false
  data.jobs.set(job.id, { ...job, runAt, claim: undefined })
  return true
}

export function releaseHeld(data: MemoryData, holder: string): number {
  const theirs = [...data.jobs.values()].filter((job) => job.claim?.holder === holder)
  for (const job of theirs) data.jobs.set(job.id, { ...job, claim: undefined })
  return theirs.length
}

export function nextRunAt(data: MemoryData, kinds: readonly string[], after: Instant): Instant | undefined {
  let next: Instant | undefined
  for (const { claim, runAt, kind } of data.jobs.values()) {
    if (claim === undefined && runAt > after && (next === undefined || runAt < next) && kinds.includes(kind))
      next = runAt
  }
  return next
}
