import { ALL_REGIONS } from '@matchyard/core'
import { expect, it } from 'vitest'
import { type SimulationOptions, simulate } from '../../src/simulation/index'
import { keepInvariants, RESTARTS } from './worlds'

const REGIONS = { nodes: 3, steps: 100, regions: true, often: RESTARTS } as const

/** Worlds whose machines serve different regions, on nodes that crash or are lost. */
keepInvariants(
  [
    { name: 'machines of different regions, three nodes that fail', ...REGIONS },
    { name: 'machines of different regions, nodes that are lost, with loops', ...REGIONS, loop: true, nodesGone: true },
  ],
  6,
)

it('finds a machine that runs servers of other regions', async () => {
  const spoil: SimulationOptions['spoil'] = ({ orchestrator }) => ({
    orchestrator: { ...orchestrator, regions: ALL_REGIONS },
  })
  let found: string | undefined
  for (let seed = 1; seed <= 10 && found === undefined; seed++) {
    const { failure } = await simulate({ seed, ...REGIONS, faults: false, shrinkTries: 0, spoil })
    found = failure?.invariant
  }
  expect(found).toBe('serversRunInTheirRegion')
}, 300_000)
