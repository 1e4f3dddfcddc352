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
  /** What the claimer knows how to do: jobs of other kinds are left alone, a newer node put them. */
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

/** What there is to do of a kind of jobs, now and next. */
export interface KindAgenda {
  readonly kind: string
  /** Whether `claim` could take one now. */
  readonly isDue: boolean
  /** When the earliest that nobody holds falls due after now. */
  readonly nextAt: Instant | undefined
}

/** How far the jobs of a kind that are due are counted: a figure for a gauge must not cost what a backlog is long. */
export const MAX_DUE_COUNTED = 10_000

/** Work to be done later. A claim is short and renewed: who holds one for longer than its lease without a word has lost it. */
export interface JobStore {
  /**
   * Claims jobs of these kinds that are due (`runAt` <= now) and not in another's hands (their lease > now). Each goes to one
   * claimer. Tenants take turns: every tenant's first comes before any tenant's second, those in hand counted; within a turn the
   * oldest `runAt` comes first, equal ones by id. However long one tenant's backlog is, another's job is among the next that are
   * claimed, and the cost of a claim does not grow with the backlog. (Where more than a few hundred tenants have a backlog of one
   * kind at once, a claim may look at some of them and the next claims at the others.)
   */
  claim(request: ClaimRequest): Promise<ClaimedJob[]>
  /** Claims this one job, due or not, whoever's it is; undefined where there is none, or it is in another's hands. */
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
   * What there is to do of these kinds; one of which nothing is due now or later may be left out. It writes nothing and costs a few
   * searches of an index for each kind, however many jobs there are: what is not due costs nothing until then.
   */
  agenda(kinds: readonly string[], now: Instant): Promise<KindAgenda[]>
}
