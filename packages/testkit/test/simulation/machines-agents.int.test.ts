import type { CommandKind, FaultKind } from '../../src/simulation/index'
import { keepInvariants, RESTARTS } from './worlds'

/** Commands to draw often, for many restarts on links that fail. */
const OFTEN: readonly CommandKind[] = [...RESTARTS, 'fault', 'fault', 'fault', 'fault', 'run-jobs', 'reconcile']

/** Faults of the link, and others that meet calls under way. */
const LINK_FAULTS: readonly FaultKind[] = [
  ...(['agent-cut', 'agent-cut', 'agent-half-open', 'agent-half-open', 'agent-repeats', 'agent-repeats'] as const),
  ...(['launch-answer-lost', 'exits-at-once', 'orchestrator-down', 'crash-anywhere'] as const),
]

const AGENTS = { nodes: 2, steps: 100, agents: true, often: OFTEN, faults: LINK_FAULTS } as const

/** Worlds whose nodes reach their machines through agents, over links that are cut, half-open and repeat messages. */
keepInvariants(
  [
    { name: 'agents of two nodes, on links that fail', ...AGENTS },
    {
      name: 'agents of three machines that are cordoned and drained',
      ...AGENTS,
      nodes: 3,
      machines: true,
      faults: true,
    },
    { name: 'agents of nodes that are lost, with loops', ...AGENTS, nodes: 3, loop: true, nodesGone: true },
  ],
  4,
)
