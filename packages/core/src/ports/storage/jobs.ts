import type { Instant } from '../../shared/time'
import type { JobSpec } from './commit'

/** A job that one worker holds until the lease of its claim ends. */
export interface ClaimedJob extends JobSpec {
  /** Number of claims of this job, this one included. */
  readonly attempts: number
  /** Whether the lease of the previous claim ran out: its worker died or stalled, and neither completed the job nor gave it back. */
  readonly lapsed: boolean
  /** Token of this claim. A job that was replaced, given back or claimed again has another token. */
  readonly token: string
}

export interface ClaimRequest {
  /** Kinds of jobs that the claimer can run. Other kinds, put by a newer node, are left alone. */
  readonly kinds: readonly string[]
  readonly now: Instant
  readonly limit: number
  /** Milliseconds from `now` until the lease ends, unless it is renewed. */
  readonly leaseMs: number
  /** Node that claims, by the name that it also has after a restart. */
  readonly holder: string
  /** Maximum number of jobs of one tenant that the claimer holds. `inHand` is the number that it holds already, by tenant. */
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
  /** Whether `claim` could take a job of this kind now. */
  readonly isDue: boolean
  /** Instant at which the earliest unclaimed job after now falls due; undefined without one. */
  readonly nextAt: Instant | undefined
}

/** Maximum number of due jobs of one kind that are counted, so that the cost of a metric does not grow with the backlog. */
export const MAX_DUE_COUNTED = 10_000

/** Store of jobs to be run later. A claim has a short lease and must be renewed: a holder that does not renew it in time loses the job. */
export interface JobStore {
  /**
   * Claims jobs of these kinds that are due (`runAt` <= now) and that no other holder has under a lease that ends after `now`. Each job
   * goes to one claimer. Tenants take turns: the first job of every tenant comes before the second of any, counting the jobs in hand.
   * Within a turn the oldest `runAt` comes first, and equal ones are ordered by id. The backlog of one tenant thus delays no other tenant,
   * and the cost of a claim does not grow with the backlog. (When more than a few hundred tenants have a backlog of one kind, a claim may
   * consider some of them, and the next claims the others.)
   */
  claim(request: ClaimRequest): Promise<ClaimedJob[]>
  /** Claims one job by id, due or not, of any tenant. Returns undefined when the job does not exist or another holder has claimed it. */
  take(id: string, claim: Pick<ClaimRequest, 'now' | 'leaseMs' | 'holder'>): Promise<ClaimedJob | undefined>
  /**
   * Extends the leases of these claims to `leaseUntil`. Returns the jobs that the caller still holds; a claim whose lease ended counts as
   * held when no other claimer took the job.
   */
  renew(jobs: readonly ClaimedJob[], leaseUntil: Instant): Promise<ClaimedJob[]>
  /** Removes a job that is done. Returns false, without a change, when the caller no longer holds the claim. */
  complete(job: ClaimedJob): Promise<boolean>
  /** Gives a job back to run again at `runAt`. Returns false when the caller no longer holds the claim. */
  retry(job: ClaimedJob, runAt: Instant): Promise<boolean>
  /**
   * Gives back all jobs that this holder claimed, to run at their `runAt`; returns their number. Called at the start, for claims from
   * before a restart.
   */
  releaseHeld(holder: string): Promise<number>
  /**
   * Returns the due and next jobs of these kinds; a kind without jobs may be left out. The call writes nothing. It costs a few index
   * searches for each kind, independent of the number of jobs.
   */
  agenda(kinds: readonly string[], now: Instant): Promise<KindAgenda[]>
}
