import { HOUR_MS, MINUTE_MS } from '@matchyard/core/domain'
import type { ClaimedJob, Commit, CommitResult, Storage } from '@matchyard/core/ports'
import { historyPlaceAt } from '@matchyard/core/ports'
import type { StorageUnderTest } from '../harness'
import { ACCOUNT_ID, PROJECT_ID, QUEUE_KEY } from '../samples'
import { StorageModel } from './model'
import { observe } from './observe'
import { Planner } from './plan'
import type { CommitIntent, Step } from './steps'

export interface Played {
  /** The result of each step as JSON, without tokens and cursors, because each adapter chooses their form. */
  readonly transcript: readonly string[]
  readonly model: StorageModel
  /** Ids of the waiting tickets, according to a reader that read all changes of one queue. */
  readonly followed: ReadonlySet<string>
  /** Entities of the project, according to a reader that read all changes of the project: kind and id → version. */
  readonly known: ReadonlyMap<string, number>
  /** The figures that the storage keeps (`kept`), and the figures counted again from the model (`recounted`). */
  readonly figures: { readonly kept: unknown; readonly recounted: unknown }
}

/** Applies a history to one store. `told` receives the results of the model and of the adapter for each commit. */
export async function play(
  subject: StorageUnderTest,
  steps: readonly Step[],
  told: (model: CommitResult, adapter: CommitResult) => void = () => {},
): Promise<Played> {
  const model = new StorageModel()
  const planner = new Planner(model)
  const transcript: string[] = []
  const claims: ClaimedJob[] = []
  const followed = new Set<string>()
  const known = new Map<string, number>()
  let changesCursor: string | undefined
  let storage = subject.storage
  let cursor: string | undefined
  let last: Commit | undefined

  const commitAll = async (intents: readonly CommitIntent[]): Promise<unknown> => {
    // The code plans all commits before it sends any of them, so that commits that arrive together may conflict.
    const commits = intents.map((intent) => planner.plan(intent))
    const results = await Promise.all(commits.map((commit) => storage.commit(commit)))
    for (const [index, commit] of commits.entries()) {
      const [intent, result] = [intents[index], results[index]]
      const expected = model.commit(commit)
      if (result !== undefined) told(expected, result)
      if (expected.ok && intent !== undefined) planner.applied(commit, intent.writes)
      last = commit
    }
    return results
  }

  const take = async (step: Step): Promise<unknown> => {
    switch (step.do) {
      case 'commit':
        return commitAll(step.commits)
      case 'repeat':
        return last && model.applied.has(last.id) ? storage.commit(last) : 'nothing to repeat'
      case 'claim': {
        planner.now += step.wait
        const { limit, perTenant, leaseMs, holder } = step
        const inHand = new Map([['acc_a', 1]])
        const kinds = limit === 1 ? ['work'] : ['work', 'care']
        const claimed = await storage.jobs.claim({
          kinds,
          now: planner.now,
          limit,
          leaseMs,
          holder,
          perTenant,
          inHand,
        })
        claims.push(...claimed)
        return claimed.map(({ token: _, ...job }) => job)
      }
      case 'complete':
      case 'retry': {
        const job = claims[step.pick]
        if (job === undefined) return 'nothing claimed'
        return step.do === 'complete' ? storage.jobs.complete(job) : storage.jobs.retry(job, planner.now + step.delay)
      }
      case 'renew':
        return (await storage.jobs.renew(claims, planner.now + step.delay)).map(({ id, attempts }) => [id, attempts])
      case 'give-back':
        return storage.jobs.releaseHeld(step.holder)
      case 'touch':
        return storage.presence.touch([{ scope: planner.id('lobby', step.slot), member: step.member, at: step.at }])
      case 'acquire':
        planner.now += step.wait
        return storage.leases.acquire('director', step.holder, planner.now, 50)
      case 'release':
        return storage.leases.release('director', step.holder)
      case 'prune':
        // The store forgets removed tickets after an hour, so a reader of tickets must have read them before.
        if (step.wait > 0) cursor = await follow(storage, cursor, followed)
        planner.now += step.wait
        // After a pruning, the store may no longer know the id of the last commit, and would apply that commit again.
        last = undefined
        await storage.events.prune(planner.now)
        return storage.prune(planner.now)
      case 'reopen':
        storage = await subject.reopen()
        return undefined
      case 'look':
        cursor = await follow(storage, cursor, followed)
        changesCursor = await followChanges(storage, changesCursor, known)
        return [await observe(storage, planner), [...followed].sort(), [...known].sort()]
    }
  }

  for (const step of [...steps, { do: 'look' } as const]) transcript.push(JSON.stringify([step.do, await take(step)]))
  const since = planner.now - HOUR_MS
  const { sums } = await storage.servers.metered(ACCOUNT_ID, 0, planner.now)
  const rows = await storage.history.rows(MINUTE_MS, historyPlaceAt(0), planner.now + HOUR_MS, 10_000)
  const kept = [await storage.tickets.waiting(), await storage.matches.waits(QUEUE_KEY, since), sums, rows]
  const recounted = [model.waiting(), model.waits(QUEUE_KEY, since), model.metered(ACCOUNT_ID), model.historyRows()]
  return { transcript, model, followed, known, figures: { kept, recounted } }
}

async function follow(storage: Storage, cursor: string | undefined, followed: Set<string>): Promise<string> {
  const read = await storage.tickets.changedSince(QUEUE_KEY, cursor, 2)
  if (read.startedOver) followed.clear()
  for (const { ticketId, ticket } of read.changes) {
    if (ticket === undefined) followed.delete(ticketId)
    else followed.add(ticketId)
  }
  return read.more ? follow(storage, read.cursor, followed) : read.cursor
}

async function followChanges(
  storage: Storage,
  cursor: string | undefined,
  known: Map<string, number>,
): Promise<string> {
  const read = await storage.changes.since(PROJECT_ID, cursor, { limit: 2, maxBytes: 1_200 })
  if (read.startedOver) known.clear()
  for (const { kind, id, version, value } of read.changes) {
    if (value === undefined) known.delete(`${kind} ${id}`)
    else known.set(`${kind} ${id}`, value.version === version ? version : Number.NaN)
  }
  return read.more ? followChanges(storage, read.cursor, known) : read.cursor
}
