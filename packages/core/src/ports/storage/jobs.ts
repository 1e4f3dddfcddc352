import type { Instant } from '../../shared/time'
import type { JobSpec } from './commit'

/** A job that one worker holds until the lease of its claim ends. */
export interface ClaimedJob extends JobSpec {
  /** Number of claims of this job, this one included. */
  readonly attempts: number
  /** Whether the lease of the previous claim ended. Then the worker died or stalled: it neither completed the job nor gave it back. */
  readonly lapsed: boolean
  /** Token of this claim. The token changes when the job is replaced, given back or claimed again. */
  readonly token: string
}

export interface ClaimRequest {
  /** Kinds of jobs that the claimer can run. Jobs of other kinds, created by a newer node, are not claimed. */
  readonly kinds: readonly string[]
  readonly now: Instant
  readonly limit: number
  /** Milliseconds from `now` until the lease ends, unless the claimer renews it. */
  readonly leaseMs: number
  /** Name of the claiming node, which is the same after a restart. */
  readonly holder: string
  /** Maximum number of jobs of one tenant that the claimer holds at once. `inHand` is the number that it holds already, by tenant. */
  readonly perTenant: number
  readonly inHand: ReadonlyMap<string, number>
}

/** Jobs of one kind that `claim` could take now. */
export interface DueJobs {
  readonly kind: string
  /** Number of due jobs, counted up to `MAX_DUE_COUNTED`. */
  readonly count: number
  readonly oldestAt: Instant
}

/** Due and next jobs of one kind. */
export interface KindAgenda {
  readonly kind: string
  /** Whether `claim` could take a job of this kind at once. */
  readonly isDue: boolean
  /** Instant at which the next unclaimed job falls due, later than now; undefined without such a job. */
  readonly nextAt: Instant | undefined
}

/** Maximum number of due jobs that are counted for each kind, so that the cost of a metric does not grow with the backlog. */
export const MAX_DUE_COUNTED = 10_000

/** Store of jobs to be run later. A claim has a short lease: a holder that does not renew the claim in time loses the job. */
export interface JobStore {
  /**
   * Claims jobs of these kinds that are due (`runAt` <= now) and free: no other holder has a lease that ends after `now`. Each job goes to
   * one claimer.
   *
   * Tenants take turns: the first job of every tenant comes before the second job of any tenant, and jobs that the claimer already holds
   * count. Among the first jobs, among the second jobs and so on, the oldest `runAt` comes first, and jobs of equal `runAt` are ordered by
   * id. The backlog of one tenant thus delays no other tenant. The cost of a claim does not grow with the backlog. When more than a few
   * hundred tenants have a backlog of one kind, a claim may consider some of the tenants, and the next claims the others.
   */
  claim(request: ClaimRequest): Promise<ClaimedJob[]>
  /**
   * Claims one job by its id, due or not, of any tenant. Returns undefined when the job does not exist or another holder has claimed it.
   */
  take(id: string, claim: Pick<ClaimRequest, 'now' | 'leaseMs' | 'holder'>): Promise<ClaimedJob | undefined>
  /**
   * Extends the leases of these claims to `leaseUntil`. Returns the jobs that the caller still holds. A claim whose lease has ended is
   * renewed too, unless another claimer took the job.
   */
  renew(jobs: readonly ClaimedJob[], leaseUntil: Instant): Promise<ClaimedJob[]>
  /** Removes a job that is done. Returns false, without a change, when the caller no longer holds the claim. */
  complete(job: ClaimedJob): Promise<boolean>
  /** Gives a job back to run again at `runAt`. Returns false when the caller no longer holds the claim. */
  retry(job: ClaimedJob, runAt: Instant): Promise<boolean>
  /**
   * Gives back all jobs that this holder claimed, to run at their `runAt`; returns the number of these jobs. A node calls this at its
   * start, for claims that it made before a restart.
   */
  releaseHeld(holder: string): Promise<number>
  /**
   * Returns the due and next jobs of these kinds; a kind without jobs may be left out. The call writes nothing. It costs a few index
   * searches for each kind, whatever the number of jobs.
   */
  agenda(kinds: readonly string[], now: Instant): Promise<KindAgenda[]>
}
