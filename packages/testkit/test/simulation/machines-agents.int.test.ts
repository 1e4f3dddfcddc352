import { keepInvariants, RESTARTS } from './worlds'

const AGENTS = { nodes: 2, steps: 100, agents: true, often: RESTARTS } as const

/** Worlds whose nodes reach their machines through agents, over links that are cut, half-open and repeat messages. */
keepInvariants(
  [
    { name: 'agents of two nodes that fail', ...AGENTS },
    { name: 'agents of three machines that are cordoned and drained', ...AGENTS, nodes: 3, machines: true },
    { name: 'agents of nodes that are lost, with loops', ...AGENTS, nodes: 3, loop: true, nodesGone: true },
  ],
  4,
)
