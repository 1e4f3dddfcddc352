import type { ClaimedJob, ClaimRequest, JobSpec, Storage } from '@matchyard/core/ports'
import { ACCOUNT_ID } from './samples'

/** Returns a job of the kind that `claimJobs` claims, due at the time 1,000 (milliseconds). */
export const aJob = (id: string, parts: Partial<JobSpec> = {}): JobSpec => ({
  id,
  kind: 'work',
  runAt: 1_000,
  tenant: ACCOUNT_ID,
  payload: {},
  ...parts,
})

/** Kinds of jobs that the conformance suite uses. */
export const JOB_KINDS_HERE = ['work', 'expire']

/**
 * Returns the time at which the earliest unclaimed job of these kinds becomes due, among the jobs that are due later
 * than `after`; undefined when there is no such job.
 */
export async function nextAt(storage: Storage, kinds: readonly string[], after = 0): Promise<number | undefined> {
  const instants = (await storage.jobs.agenda(kinds, after)).flatMap(({ nextAt: at }) => at ?? [])
  return instants.length === 0 ? undefined : Math.min(...instants)
}

/** Returns those of the given kinds of which at least one job can be claimed now. */
export const kindsDue = async (storage: Storage, kinds: readonly string[], now: number): Promise<string[]> =>
  (await storage.jobs.agenda(kinds, now)).flatMap(({ kind, isDue }) => (isDue ? kind : []))

/** Claims jobs for one node that runs no jobs yet. The caller passes only the fields that the test case is about. */
export const claimJobs = (
  storage: Storage,
  request: Partial<ClaimRequest> & Pick<ClaimRequest, 'now'>,
): Promise<ClaimedJob[]> =>
  storage.jobs.claim({
    kinds: JOB_KINDS_HERE,
    limit: 100,
    leaseMs: 1_000,
    holder: 'node_a',
    perTenant: Number.MAX_SAFE_INTEGER,
    inHand: new Map(),
    ...request,
  })
