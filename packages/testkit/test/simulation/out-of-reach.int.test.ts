import type { Orchestrator } from '@matchyard/core/ports'
import { describe, expect, it } from 'vitest'
import { describeFailure, type SimulationOptions, type Spoil, simulate } from '../../src/simulation/index'
import { RESTARTS } from './worlds'

/** Length of each period: some servers are out of reach in every second period. */
const PERIOD_MS = 10_000
/** Time for which such periods continue at the end of a run. Afterwards all servers can be reached, and everything settles. */
const GOES_ON_MS = 60_000

/**
 * Returns an orchestrator in which half of the servers are sometimes out of reach, as in a cluster of another region. `observe` of all
 * servers then leaves them out.
 */
function outOfReach({ isToldAsGone = false } = {}): Spoil {
  return ({ orchestrator }, { clock, faults }) => {
    const isFar = (instanceId: string) => instanceId.charCodeAt(instanceId.length - 1) % 2 === 0
    const isAway = (instanceId: string) => {
      const now = clock.now()
      const isOver = faults.overSince !== undefined && now >= faults.overSince + GOES_ON_MS
      return !isOver && Math.floor(now / PERIOD_MS) % 2 === 1 && isFar(instanceId)
    }
    const reach = (instanceId: string) => {
      if (isAway(instanceId) && !isToldAsGone)
        throw Object.assign(new Error(`simulated: ${instanceId} is out of reach`), { name: 'PortFailure' })
    }
    const spoiled: Orchestrator = {
      ...orchestrator,
      launch: async (spec) => {
        reach(spec.instanceId)
        return orchestrator.launch(spec)
      },
      stop: async (instanceId, options) => {
        reach(instanceId)
        return orchestrator.stop(instanceId, options)
      },
      forget: async (instanceId, where) => {
        reach(instanceId)
        return orchestrator.forget(instanceId, where)
      },
      observe: async (of, where) => {
        reach(of ?? '')
        const seen = await orchestrator.observe(of, where)
        // The next period may have begun meanwhile.
        reach(of ?? '')
        return seen.filter(({ instanceId }) => !isAway(instanceId))
      },
    }
    return { orchestrator: spoiled }
  }
}

const WORLDS: readonly Omit<SimulationOptions, 'seed'>[] = [
  { nodes: 1, faults: false },
  { nodes: 1, faults: true },
  { nodes: 2, loop: true, faults: true },
  { nodes: 1, loop: true, faults: ['never-ready'], often: RESTARTS },
]
const RUNS = Number(process.env.MATCHYARD_SIMULATIONS ?? 4)

describe('where some servers are out of reach for a while', { timeout: 600_000 }, () => {
  it.each(WORLDS)('every invariant holds, with %o', async (world) => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const { failure } = await simulate({ seed, shrinkTries: 0, spoil: outOfReach(), ...world })
      if (failure !== undefined) expect.fail(describeFailure(failure))
    }
  })

  it('an orchestrator that tells them as gone is found', async () => {
    const broken = new Set<string>()
    for (let seed = 1; seed <= 60 && broken.size === 0; seed++) {
      const spoil = outOfReach({ isToldAsGone: true })
      const { failure } = await simulate({ seed, nodes: 1, faults: false, shrinkTries: 0, spoil })
      if (failure !== undefined) broken.add(failure.invariant)
    }
    expect([...broken]).toHaveLength(1)
  })
})
