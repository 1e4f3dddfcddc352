import type { Instant } from '@matchyard/core'
import {
  type Claimable,
  type ClaimedJob,
  type ClaimRequest,
  type DueJobs,
  type KindAgenda,
  MAX_DUE_COUNTED,
  takeTurns,
} from '@matchyard/core/ports'
import { fromColumn, toColumn } from './column-text'
import type { Database } from './database'
import { type HeldRow, jobStatements } from './statements/jobs'

/**
 * Number of due jobs of a kind that a claim reads in the order of age. If fewer jobs are due, the claim has read all of
 * them. Otherwise the claim also reads the oldest jobs of each tenant.
 */
const WINDOW = 128
/**
 * Maximum number of tenants whose jobs of a kind one claim looks up. The next claim continues with the next tenants.
 */
const TENANTS_AT_ONCE = 1_000
/** Maximum number of times that a claimer chooses jobs again after other claimers took all jobs that it had chosen. */
const ROUNDS = 3

interface Candidate extends Claimable {
  readonly lapsed: boolean
}

/**
 * Claims jobs by the rule of the storage port. The cost does not grow with the number of waiting jobs of a tenant or of
 * all tenants.
 */
export class JobClaims {
  /** Tenant at which the next claim begins to look up tenants, by kind of job. */
  private readonly from = new Map<string, string>()

  constructor(private readonly database: Database) {}

  async claim(request: ClaimRequest): Promise<ClaimedJob[]> {
    for (let round = 0; round < ROUNDS; round++) {
      const chosen = takeTurns(await this.candidates(request), request)
      if (chosen.length === 0) return []
      const claimed = await this.hold(chosen, request)
      if (claimed.length > 0) return claimed
    }
    return []
  }

  private async hold(chosen: readonly Candidate[], { now, leaseMs, holder }: ClaimRequest): Promise<ClaimedJob[]> {
    const values = [chosen.map(({ id }) => toColumn(id)), now, now + leaseMs, toColumn(holder)]
    const { rows } = await this.database.write(jobStatements.hold, values)
    const held = new Map(rows.map((row) => [fromColumn(row.id), row]))
    return chosen.flatMap(({ id, lapsed }) => {
      const row = held.get(id)
      return row === undefined ? [] : [heldJob(row, lapsed)]
    })
  }

  private async candidates(request: ClaimRequest): Promise<Candidate[]> {
    const { kinds, now } = request
    const found = new Map<string, Candidate>()
    const free = new Map<string, number>()
    const { rows } = await this.database.read(jobStatements.oldest, [kinds.map(toColumn), now, WINDOW])
    for (const { id, kind, tenant, run_at: runAt, lapsed } of rows) {
      found.set(id, { id: fromColumn(id), tenant: fromColumn(tenant), runAt, lapsed: lapsed === 1 })
      if (lapsed === 0) free.set(kind, (free.get(kind) ?? 0) + 1)
    }
    for (const [kind, count] of free) {
      if (count < WINDOW) continue
      for (const candidate of await this.ofEachTenant(kind, request)) found.set(toColumn(candidate.id), candidate)
    }
    return [...found.values()]
  }

  /** Returns the oldest due jobs of each tenant. `kind` is escaped as a plain text column requires. */
  private async ofEachTenant(kind: string, { now, limit, perTenant }: ClaimRequest): Promise<Candidate[]> {
    const begin = this.from.get(kind) ?? ''
    const perLook = Math.min(limit, perTenant)
    const look = async (from: string) => {
      const values = [kind, now, from, TENANTS_AT_ONCE, perLook]
      const { rows } = await this.database.read(jobStatements.ofEachTenant, values)
      const tenants = new Set(rows.map(({ tenant }) => tenant))
      return { rows, last: tenants.size < TENANTS_AT_ONCE ? undefined : rows.at(-1)?.tenant }
    }
    let { rows, last } = await look(begin)
    if (last === undefined && begin !== '') {
      const wrapped = await look('')
      rows = [...rows, ...wrapped.rows]
      last = wrapped.last
    }
    this.from.set(kind, last ?? '')
    return rows.flatMap(({ id, tenant, run_at: runAt }) =>
      id === null || runAt === null ? [] : [{ id: fromColumn(id), tenant: fromColumn(tenant), runAt, lapsed: false }],
    )
  }
}

function heldJob(row: HeldRow, lapsed: boolean): ClaimedJob {
  const { id, kind, run_at: runAt, tenant, attempts, payload, sequence } = row
  const job = { id: fromColumn(id), kind: fromColumn(kind), runAt, tenant: fromColumn(tenant) }
  return { ...job, payload: JSON.parse(payload), attempts, lapsed, token: `${sequence}.${attempts}` }
}

export async function takeJob(
  database: Database,
  id: string,
  { now, leaseMs, holder }: Pick<ClaimRequest, 'now' | 'leaseMs' | 'holder'>,
): Promise<ClaimedJob | undefined> {
  const values = [toColumn(id), now, now + leaseMs, toColumn(holder)]
  const [row] = (await database.write(jobStatements.take, values)).rows
  return row && heldJob(row, row.lapsed === 1)
}

const claimOf = ({ id, token }: ClaimedJob) => [toColumn(id), ...token.split('.').map(Number)]

export async function renewJobs(
  database: Database,
  jobs: readonly ClaimedJob[],
  leaseUntil: Instant,
): Promise<ClaimedJob[]> {
  const claims = jobs.map(claimOf)
  const column = (index: number) => claims.map((claim) => claim[index])
  const { rows } = await database.write(jobStatements.renew, [column(0), column(1), column(2), leaseUntil])
  const kept = new Set(rows.map(({ sequence, attempts }) => `${sequence}.${attempts}`))
  return jobs.filter(({ token }) => kept.has(token))
}

export const completeJob = async (database: Database, job: ClaimedJob): Promise<boolean> =>
  (await database.write(jobStatements.complete, claimOf(job))).count === 1

export const retryJob = async (database: Database, job: ClaimedJob, runAt: Instant): Promise<boolean> =>
  (await database.write(jobStatements.retry, [...claimOf(job), runAt])).count === 1

export const releaseHeld = async (database: Database, holder: string): Promise<number> =>
  (await database.write(jobStatements.releaseHeld, [toColumn(holder)])).count

export async function agenda(database: Database, kinds: readonly string[], now: Instant): Promise<KindAgenda[]> {
  const { rows } = await database.read(jobStatements.agenda, [kinds.map(toColumn), now])
  return rows.map(({ kind, is_due, next_at }) => ({
    kind: fromColumn(kind),
    isDue: is_due === 1,
    nextAt: next_at ?? undefined,
  }))
}

export async function dueJobs(database: Database, now: Instant): Promise<DueJobs[]> {
  const { rows } = await database.read(jobStatements.due, [now, MAX_DUE_COUNTED])
  return rows.map(({ kind, count, oldest_at: oldestAt }) => ({ kind: fromColumn(kind), count, oldestAt }))
}
