import type { Ports } from '../ports/ports'
import type { OwnMachineState } from './own-machine-state'

/** Machine whose game servers and logs this process can read. */
export interface RunningPlace extends Pick<Ports, 'orchestrator'> {
  readonly node: { readonly own: OwnMachineState }
}

/**
 * Returns the node name in the records of servers that this node launches: this node's id, or the common name of all nodes that share an
 * orchestrator.
 */
export const machineOf = ({ orchestrator: { sharedAs }, settings }: Pick<Ports, 'orchestrator' | 'settings'>): string =>
  sharedAs ?? settings.nodeId

/**
 * Returns the machine that can read the whole log of a server that is recorded under the node name `nodeId`: this node, or a machine that
 * this node hosts. Returns undefined when the log is on another node.
 */
export function runningPlaceOf(
  ctx: RunningPlace &
    Pick<Ports, 'settings'> & { readonly node: { readonly hosted: ReadonlyMap<string, RunningPlace> } },
  nodeId: string,
): RunningPlace | undefined {
  const { runsFor } = ctx.orchestrator
  return nodeId === machineOf(ctx) || nodeId === runsFor ? ctx : ctx.node.hosted.get(nodeId)
}

/** Whether every node observes and controls the same servers. */
export const isSharedPlace = ({ orchestrator: { sharedAs } }: Pick<Ports, 'orchestrator'>): boolean =>
  sharedAs !== undefined
