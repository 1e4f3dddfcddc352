import type { Instant } from '../../shared/time'
import type { JobSpec } from './commit'

/** A job in the hands of one worker until its lease runs out. */
export interface ClaimedJob extends JobSpec {
  /** How often it was claimed, this time included. */
  readonly attempts: number
  /** Whether the claim before this one ran out: its worker died or stood still, and neither completed the job nor gave it back. */
  readonly lapsed: boolean
  /** Stands for this claim; a job that was replaced, given back or claimed again has another. */
  readonly token: string
}

export interface ClaimRequest {
  /** Kinds of jobs that the claimer can run. Other kinds, put by a newer node, are left alone. */
  readonly kinds: readonly string[]
  readonly now: Instant
  readonly limit: number
  /** Milliseconds from `now` until the claim runs out, unless it is renewed. */
  readonly leaseMs: number
  /** Into whose hands: the node, under the name that it has after a restart too. */
  readonly holder: string
  /** The most of one tenant's jobs that the claimer takes in hand; `inHand` says how many of each there are already. */
  readonly perTenant: number
  readonly inHand: ReadonlyMap<string, number>
}

/** Jobs of one kind that `claim` could take now. */
export interface DueJobs {
  readonly kind: string
  /** Counted up to `MAX_DUE_COUNTED`. */
  readonly count: number
  readonly oldestAt: Instant
}

/** Due and next jobs of one kind. */
export interface KindAgenda {
  readonly kind: string
  /** Whether `claim` could take one now. */
  readonly isDue: boolean
  /** When the earliest that nobody holds falls due after now. */
  readonly nextAt: Instant | undefined
}

/** How far the jobs of a kind that are due are counted: a figure for a gauge must not cost what a backlog is long. */
export const MAX_DUE_COUNTED = 10_000

/** Store of jobs to be run later. A claim is short and must be renewed: a holder that does not renew it within its lease loses the job. */
export interface JobStore {
  /**
   * Claims jobs of these kinds that are due (`runAt` <= now) and not in another's hands (their lease > now). Each goes to one
   * claimer. Tenants take turns: every tenant's first comes before any tenant's second, those in hand counted; within a turn the
   * oldest `runAt` comes first, equal ones by id. However long one tenant's backlog is, another's job is among the next that are
   * claimed, and the cost of a claim does not grow with the backlog. (Where more than a few hundred tenants have a backlog of one
   * kind at once, a claim may look at some of them and the next claims at the others.)
   */
  claim(request: ClaimRequest): Promise<ClaimedJob[]>
  /** Claims one job by id, due or not, of any tenant. Returns undefined when the job does not exist or another holder has claimed it. */
  take(id: string, claim: Pick<ClaimRequest, 'now' | 'leaseMs' | 'holder'>): Promise<ClaimedJob | undefined>
  /** Prolongs these claims until `leaseUntil`; answers those that still are the caller's. One that ran out and that nobody took is. */
  renew(jobs: readonly ClaimedJob[], leaseUntil: Instant): Promise<ClaimedJob[]>
  /** Removes it; false, and nothing happens, when the claim is no longer the caller's. */
  complete(job: ClaimedJob): Promise<boolean>
  /** Gives it back to run again at `runAt`; false when the claim is no longer the caller's. */
  retry(job: ClaimedJob, runAt: Instant): Promise<boolean>
  /** Gives back all that this holder has in hand, to run when it was due; answers how many. For a start: those of its earlier life. */
  releaseHeld(holder: string): Promise<number>
  /**
   * Returns the due and next jobs of these kinds; a kind without jobs may be left out. It writes nothing and costs a few index searches for
   * each kind, independent of the number of jobs.
   */
  agenda(kinds: readonly string[], now: Instant): Promise<KindAgenda[]>
}
