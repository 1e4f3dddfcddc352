import type { ClaimedJob, Instant } from '@matchyard/core'
import type { MemoryData, StoredJob } from './memory-data'

/** Due and in nobody's hands, oldest first. */
export const dueJobs = (data: MemoryData, now: Instant): StoredJob[] =>
  [...data.jobs.values()]
    .filter((job) => job.runAt <= now && (job.claim === undefined || job.claim.until <= now))
    .sort((a, b) => a.runAt - b.runAt || (a.id < b.id ? -1 : 1))

export function claimJobs(data: MemoryData, options: { now: Instant; limit: number; leaseMs: number }): ClaimedJob[] {
  return dueJobs(data, options.now)
    .slice(0, options.limit)
    .map((job) => {
      const token = String(++data.sequence)
      const attempts = job.attempts + 1
      data.jobs.set(job.id, { ...job, attempts, claim: { token, until: options.now + options.leaseMs } })
      return { id: job.id, kind: job.kind, runAt: job.runAt, payload: JSON.parse(job.payload), attempts, token }
    })
}

const held = (data: MemoryData, claimed: ClaimedJob): StoredJob | undefined => {
  const job = data.jobs.get(claimed.id)
  return job?.claim?.token === claimed.token ? job : undefined
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

export function nextRunAt(data: MemoryData): Instant | undefined {
  let next: Instant | undefined
  for (const job of data.jobs.values()) {
    if (job.claim === undefined && (next === undefined || job.runAt < next)) next = job.runAt
  }
  return next
}
