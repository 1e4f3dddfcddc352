import type { Ports } from '../ports/ports'

/**
 * Returns the node name in the records of servers that this node launches: this node's id, or the common name of all nodes that share an
 * orchestrator.
 */
export const machineOf = ({ orchestrator: { sharedAs }, settings }: Pick<Ports, 'orchestrator' | 'settings'>): string =>
  sharedAs ?? settings.nodeId

/** Whether this node can read the whole log of a server that is recorded under the node name `nodeId`. */
export function isOfThisNode(ctx: Pick<Ports, 'orchestrator' | 'settings'>, nodeId: string): boolean {
  const { runsFor } = ctx.orchestrator
  return nodeId === machineOf(ctx) || nodeId === runsFor
}

/** Whether every node observes and controls the same servers. */
export const isSharedPlace = ({ orchestrator: { sharedAs } }: Pick<Ports, 'orchestrator'>): boolean =>
  sharedAs !== undefined
