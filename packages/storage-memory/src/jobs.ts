import type { Instant } from '@matchyard/core'
import {
  type ClaimedJob,
  type ClaimRequest,
  type DueJobs,
  type KindAgenda,
  MAX_DUE_COUNTED,
  takeTurns,
} from '@matchyard/core/ports'
import type { StoredJob } from './job-table'
import type { MemoryData } from './memory-data'
import type { SortedList } from './sorted-list'

const isDue = (job: StoredJob, now: Instant) => job.runAt <= now && (job.claim === undefined || job.claim.until <= now)
const lapsed = (data: MemoryData, now: Instant) => [...data.jobs.held].filter((job) => isDue(job, now))

/** Returns the due and unclaimed jobs of a tenant, the oldest first, up to a limit. */
function oldest(jobs: SortedList<StoredJob>, now: Instant, limit: number): StoredJob[] {
  const found: StoredJob[] = []
  for (const job of jobs.values()) {
    if (job.runAt > now || found.length >= limit) break
    found.push(job)
  }
  return found
}

export function dueJobs(data: MemoryData, now: Instant): DueJobs[] {
  const byKind = new Map<string, DueJobs>()
  const add = ({ kind, runAt }: StoredJob) => {
    const { count, oldestAt } = byKind.get(kind) ?? { count: 0, oldestAt: runAt }
    const next = { count: Math.min(count + 1, MAX_DUE_COUNTED), oldestAt: Math.min(oldestAt, runAt) }
    byKind.set(kind, { kind, ...next })
  }
  for (const kind of data.jobs.kinds)
    for (const jobs of data.jobs.free(kind).values()) for (const job of oldest(jobs, now, MAX_DUE_COUNTED)) add(job)
  for (const job of lapsed(data, now)) add(job)
  return [...byKind.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1))
}

export function claimJobs(data: MemoryData, request: ClaimRequest): ClaimedJob[] {
  const { kinds, now, limit, leaseMs, holder, perTenant, inHand } = request
  const claimable = lapsed(data, now).filter(({ kind }) => kinds.includes(kind))
  for (const kind of kinds)
    for (const [tenant, jobs] of data.jobs.free(kind)) {
      const share = Math.min(limit, perTenant - (inHand.get(tenant) ?? 0))
      claimable.push(...oldest(jobs, now, share))
    }
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
  const theirs = [...data.jobs.held].filter((job) => job.claim?.holder === holder)
  for (const job of theirs) data.jobs.set(job.id, { ...job, claim: undefined })
  return theirs.length
}

export function agenda(data: MemoryData, kinds: readonly string[], now: Instant): KindAgenda[] {
  const ranOut = new Set(lapsed(data, now).map(({ kind }) => kind))
  return kinds.map((kind) => {
    let isDue = ranOut.has(kind)
    let nextAt: Instant | undefined
    for (const jobs of data.jobs.free(kind).values()) {
      if (oldest(jobs, now, 1).length > 0) isDue = true
      const [next] = jobs.values(({ runAt }) => runAt > now)
      if (next !== undefined && next.runAt < (nextAt ?? Number.POSITIVE_INFINITY)) nextAt = next.runAt
    }
    return { kind, isDue, nextAt }
  })
}
