import type { Instant } from '@matchyard/core'
import {
  ARRIVALS_KEPT,
  ARRIVALS_KEPT_MS,
  arrivalsAsked,
  arrivalsEnd,
  arrivalsFrom,
  type Commit,
  queueOfArrivals,
} from '@matchyard/core/ports'
import type { Statements } from '../statements/index'
import type { Slice } from './slice'

/**
 * Milliseconds after a commit's instant within which the commit is written. No older arrivals are added after that, so
 * they are counted only once.
 */
const SETTLED_AFTER_MS = 60_000

/** Number of parties in the batches of a queue before a given id. */
interface Counted {
  readonly before: string
  readonly parties: number
}

/**
 * Prunes recorded arrivals, and remembers the number of parties of each queue. A prune therefore examines only new and
 * removed arrivals, and not all stored arrivals. The counts stay right because only one connection writes. An unknown
 * count is computed.
 */
export class KeptArrivals {
  #counted = new Map<string, Counted>()
  #isStale = false

  /**
   * Makes the counts invalid after a commit that changed a batch of arrivals. Such a commit erases a player, so the
   * batch may have fewer parties.
   */
  committed({ writes }: Commit): void {
    if (writes.some(({ kind, expected }) => kind === 'arrivals' && expected !== 'absent')) this.#isStale = true
  }

  async prune(statements: Statements['prune'], slice: Slice, now: Instant): Promise<void> {
    const known = this.#isStale ? new Map<string, Counted>() : this.#counted
    this.#isStale = false
    this.#counted = new Map()
    for (let next = statements.nextArrivals.get(''); next; ) {
      const queue = queueOfArrivals(next)
      this.#counted.set(queue, await pruneQueue(statements, slice, now, queue, known.get(queue)))
      next = statements.nextArrivals.get(arrivalsEnd(queue))
    }
  }
}

async function pruneQueue(
  statements: Statements['prune'],
  slice: Slice,
  now: Instant,
  queueKey: string,
  known: Counted | undefined,
): Promise<Counted> {
  const all = arrivalsAsked({ queueKey, since: 0 })
  const before = arrivalsFrom(queueKey, now - SETTLED_AFTER_MS)
  const counted = known !== undefined && known.before <= before ? known : { before: all.from, parties: 0 }
  const sum = (from: string, to: string) => statements.parties.get({ from, to }) ?? 0
  const settled = counted.parties + sum(counted.before, before)
  const parties = settled + sum(before, all.to)

  let gone = 0
  const untilNone = async (take: () => readonly number[]) => {
    const next = () => {
      const taken = take()
      for (const count of taken) gone += count
      return taken.length
    }
    while ((await slice(next)) > 0);
  }
  const old = { from: all.from, to: arrivalsFrom(queueKey, now - ARRIVALS_KEPT_MS) }
  await untilNone(() => statements.oldArrivals.all(old))
  await untilNone(() => {
    const over = parties - gone - ARRIVALS_KEPT
    return over > 0 ? statements.arrivalsOver.all({ ...all, over }) : []
  })
  // The oldest arrivals are removed first, so the removed parties are subtracted from the settled count.
  return { before, parties: Math.max(0, settled - gone) }
}
