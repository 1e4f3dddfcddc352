import type { Instant } from '@matchyard/core'
import { SortedList } from './sorted-list'

export interface StoredJob {
  readonly id: string
  readonly kind: string
  readonly runAt: Instant
  readonly tenant: string
  /** Payload of the job as JSON. */
  readonly payload: string
  readonly attempts: number
  /** The current claim: its token, its holder and the time at which it ends. */
  readonly claim: { readonly token: string; readonly holder: string; readonly until: Instant } | undefined
}

const byAge = (a: StoredJob, b: StoredJob) => a.runAt - b.runAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/**
 * Jobs by id. Unclaimed jobs are also listed by kind, tenant and age, and claimed jobs in a map. A claim, and the
 * search for the next due job, therefore need not read all jobs.
 */
export class JobTable extends Map<string, StoredJob> {
  /** Unclaimed jobs by kind and then by tenant, the oldest first. */
  readonly #free = new Map<string, Map<string, SortedList<StoredJob>>>()
  readonly #held = new Map<string, StoredJob>()

  override set(id: string, job: StoredJob): this {
    this.#unlist(id)
    super.set(id, job)
    if (job.claim === undefined) this.#tenantsFor(job.kind, job.tenant).add(job)
    else this.#held.set(id, job)
    return this
  }

  override delete(id: string): boolean {
    this.#unlist(id)
    return super.delete(id)
  }

  override clear(): void {
    super.clear()
    this.#free.clear()
    this.#held.clear()
  }

  /** Kinds that have unclaimed jobs now or had some before. */
  get kinds(): Iterable<string> {
    return this.#free.keys()
  }

  get held(): Iterable<StoredJob> {
    return this.#held.values()
  }

  /** Returns the unclaimed jobs of a kind by tenant, the oldest first. */
  free(kind: string): ReadonlyMap<string, SortedList<StoredJob>> {
    return this.#free.get(kind) ?? NONE
  }

  #tenantsFor(kind: string, tenant: string): SortedList<StoredJob> {
    let tenants = this.#free.get(kind)
    if (tenants === undefined) {
      tenants = new Map()
      this.#free.set(kind, tenants)
    }
    let jobs = tenants.get(tenant)
    if (jobs === undefined) {
      jobs = new SortedList(byAge)
      tenants.set(tenant, jobs)
    }
    return jobs
  }

  #unlist(id: string): void {
    const job = this.get(id)
    if (job === undefined) return
    this.#held.delete(id)
    const tenants = this.#free.get(job.kind)
    const jobs = tenants?.get(job.tenant)
    jobs?.delete(job)
    if (jobs?.size === 0) tenants?.delete(job.tenant)
  }
}

const NONE: ReadonlyMap<string, SortedList<StoredJob>> = new Map()
