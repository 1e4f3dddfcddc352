import { runSteps } from '../run-steps'
import type { MatchedIds, MatchmakingConfig, Pool, Proposal } from '../types'
import { PoolEngine } from './pool-engine'

/** Returns an empty pool for the waiting tickets of one queue. The settings must pass `validateConfig`. */
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
    addRequest: (request) => engine.requests.add(request),
    removeRequest: (id) => engine.requests.remove(id),
    hasRequest: (id) => engine.requests.byId.has(id),
    tick: (now): Proposal[] => runSteps(engine.tick(now, engine.proposals)),
    tickSliced: (now) => engine.tick(now, engine.proposals),
    tickIds: (now): MatchedIds => runSteps(engine.tick(now, engine.ids)),
    nextDueAt: (now) => engine.nextDueAt(now),
    explain: (id, now) => engine.explain(id, now),
  }
}
