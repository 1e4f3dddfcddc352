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

/** No commit is written so long after its instant: what is older is counted once. */
const SETTLED_AFTER_MS = 60_000

/** The parties of a queue before a place. */
interface Counted {
  readonly before: string
  readonly parties: number
}

/**
 * Prunes recorded arrivals, and knows from one pruning to the next how many a queue has: so that a pruning looks at those that came and
 * those that go, not at all that stay. One connection writes; what is not known yet is counted.
 */
export class KeptArrivals {
  #counted = new Map<string, Counted>()
  #isStale = false

  /** Told of what was committed: of a batch that is written again, as an erased player leaves it, there may be fewer. */
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
  // The oldest go first.
  return { before, parties: Math.max(0, settled - gone) }
}
