import type { MatchedIds, MatchmakingConfig, Pool, Proposal } from '../types'
import { PoolEngine } from './pool-engine'

const run = <T>(steps: Generator<undefined, T, undefined>): T => {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** A pool of waiting tickets for one queue. The settings must pass `validateConfig`. */
export const createPool = (config: MatchmakingConfig): Pool => {
  const engine = new PoolEngine(config)
  return {
    get size() {
      return engine.columns.size
    },
    add: (ticket) => engine.add(ticket),
    update: (ticket) => engine.add(ticket),
    remove: (id) => engine.remove(id),
    has: (id) => engine.columns.slotOf(id) !== undefined,
    tick: (now): Proposal[] => run(engine.tick(now)),
    tickSliced: (now) => engine.tick(now),
    tickIds: (now): MatchedIds => run(engine.tickIds(now)),
    nextDueAt: (now) => engine.nextDueAt(now),
    explain: (id, now) => run(engine.explain(id, now)),
  }
}
