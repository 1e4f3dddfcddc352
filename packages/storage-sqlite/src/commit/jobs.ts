import type { Instant } from '@matchyard/core'
import { type ClaimedJob, type ClaimRequest, takeTurns } from '@matchyard/core/ports'
import type { Statements } from '../statements/index'
import type { ClaimableRow } from '../statements/jobs'

/**
 * Maximum number of jobs of a kind that a claim reads in order of age. If fewer jobs are due, the claim has read all
 * due jobs; otherwise it also looks up tenants.
 */
const WINDOW = 128
/** Maximum number of tenants with jobs of a kind that one claim looks up; the next claim continues after them. */
const TENANTS_AT_ONCE = 1_000

/**
 * Claims jobs by the port's rule. The cost of a claim does not grow with a tenant's backlog or with the number of jobs.
 */
export class JobClaims {
  /** Tenant at which the next claim of a kind begins to look up tenants. */
  private readonly from = new Map<string, string>()

  /** Claims due jobs. Runs inside a group's transaction, like every write. */
  claim({ jobs }: Statements, request: ClaimRequest): ClaimedJob[] {
    const { kinds, now, leaseMs, holder } = request
    const lapsed = jobs.lapsed.all({ now }).filter(({ kind }) => kinds.includes(kind))
    const ranOut = new Set(lapsed.map(({ sequence }) => sequence))
    const claimable = new Map(lapsed.map((row) => [row.sequence, row]))
    for (const kind of kinds) {
      const oldest = jobs.oldest.all({ kind, now, limit: WINDOW })
      for (const row of oldest) claimable.set(row.sequence, row)
      if (oldest.length < WINDOW) continue
      for (const row of this.ofEachTenant(jobs, kind, request)) claimable.set(row.sequence, row)
    }
    return takeTurns([...claimable.values()], request).flatMap(
      ({ sequence }) => held(jobs, sequence, { until: now + leaseMs, holder, lapsed: ranOut.has(sequence) }) ?? [],
    )
  }

  /**
   * Returns the oldest due jobs of each tenant. Uses the index to go from one tenant to the next, without reading a
   * tenant's backlog.
   */
  private ofEachTenant(jobs: Statements['jobs'], kind: string, request: ClaimRequest): ClaimableRow[] {
    const { now, limit, perTenant, inHand } = request
    const found: ClaimableRow[] = []
    const begin = this.from.get(kind) ?? ''
    let tenant = jobs.nextTenant.get(kind, begin) ?? null
    let [looked, withJobs, wrapped] = [0, 0, begin === '']
    for (; looked < TENANTS_AT_ONCE && withJobs < limit; looked++) {
      if (tenant === null && !wrapped) {
        wrapped = true
        tenant = jobs.nextTenant.get(kind, '') ?? null
      }
      if (tenant === null) break
      const share = Math.min(limit, perTenant - (inHand.get(tenant) ?? 0))
      const due = share > 0 ? jobs.oldestOfTenant.all({ kind, tenant, now, limit: share }) : []
      if (due.length > 0) withJobs++
      found.push(...due)
      tenant = jobs.tenantAfter.get(kind, tenant) ?? null
    }
    this.from.set(kind, tenant ?? '')
    return found
  }
}

function held(
  jobs: Statements['jobs'],
  sequence: number,
  { until, holder, lapsed }: { until: Instant; holder: string; lapsed: boolean },
): ClaimedJob | undefined {
  const row = jobs.hold.get(until, holder, sequence)
  if (row === undefined) return undefined
  const { id, kind, tenant, run_at: runAt, attempts, payload } = row
  return { id, kind, runAt, tenant, payload: JSON.parse(payload), attempts, lapsed, token: `${sequence}.${attempts}` }
}

export function takeJob(
  { jobs }: Statements,
  id: string,
  { now, leaseMs, holder }: Pick<ClaimRequest, 'now' | 'leaseMs' | 'holder'>,
): ClaimedJob | undefined {
  const free = jobs.free.get({ id, now })
  return free && held(jobs, free.sequence, { until: now + leaseMs, holder, lapsed: free.lapsed === 1 })
}

const claimOf = ({ token }: ClaimedJob) => {
  const [sequence, attempts] = token.split('.').map(Number)
  return [sequence ?? 0, attempts ?? 0] as const
}

export const renewJobs = ({ jobs }: Statements, claimed: readonly ClaimedJob[], until: Instant): ClaimedJob[] =>
  claimed.filter((job) => jobs.renew.run(until, ...claimOf(job)).changes === 1)

export const completeJob = ({ jobs }: Statements, job: ClaimedJob): boolean =>
  jobs.complete.run(...claimOf(job)).changes === 1

export const retryJob = ({ jobs }: Statements, job: ClaimedJob, runAt: Instant): boolean =>
  jobs.retry.run(runAt, ...claimOf(job)).changes === 1
