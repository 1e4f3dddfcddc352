import { expect, it } from 'vitest'
import { type SimulationOptions, simulate } from '../../src/simulation/index'
import { keepInvariants, RESTARTS } from './worlds'

const MACHINES = { nodes: 3, steps: 100, machines: true, often: RESTARTS } as const

/** Worlds whose operator cordons and drains machines, on nodes that crash or are lost. */
keepInvariants(
  [
    { name: 'machines that are cordoned, drained and broken, three nodes that fail', ...MACHINES },
    { name: 'machines that are drained, nodes that are lost, with loops', ...MACHINES, loop: true, nodesGone: true },
  ],
  6,
)

it('finds nodes that are given up while they send heartbeats', async () => {
  // A node that reads the same old heartbeat of every node again and again.
  const spoil: SimulationOptions['spoil'] = ({ storage }) => {
    const first = new Map<string, Awaited<ReturnType<typeof storage.presence.read>>>()
    const read = async (scope: string) => {
      const seen = await storage.presence.read(scope)
      if (!scope.startsWith('node:') || seen.length === 0) return seen
      if (!first.has(scope)) first.set(scope, seen)
      return first.get(scope) ?? seen
    }
    return { storage: { ...storage, presence: { ...storage.presence, read } } }
  }
  let found: string | undefined
  for (let seed = 1; seed <= 10 && found === undefined; seed++) {
    const world = { nodes: 2, steps: 60, loop: true, often: RESTARTS, faults: false, shrinkTries: 0 } as const
    found = (await simulate({ seed, ...world, spoil })).failure?.invariant
  }
  expect(found).toBe('onlyLostMachinesLoseMatches')
}, 300_000)

it('finds launches on machines that take no servers', async () => {
  // A node that reads every machine as ready.
  const spoil: SimulationOptions['spoil'] = ({ storage }) => ({
    storage: {
      ...storage,
      machines: { list: async () => [] },
      get: async (kind, id) => {
        const found = await storage.get(kind, id)
        return kind === 'machine' && found !== undefined ? { ...found, status: 'ready', rest: null } : found
      },
    },
  })
  const often = ['machine-cordon', 'server-create', 'run-jobs', 'wait'] as const
  let found: string | undefined
  for (let seed = 1; seed <= 10 && found === undefined; seed++) {
    const world = { nodes: 2, steps: 60, machines: true, often, faults: false, shrinkTries: 0 } as const
    found = (await simulate({ seed, ...world, spoil })).failure?.invariant
  }
  expect(found).toBe('closedMachinesGetNoServer')
}, 300_000)
