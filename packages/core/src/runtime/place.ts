import type { Ports } from '../ports/ports'

/**
 * Returns the node name in the records of servers that this node launches: this node's id, or the common name of all nodes that share an
 * orchestrator.
 */
export const machineOf = ({ orchestrator, settings }: Pick<Ports, 'orchestrator' | 'settings'>): string =>
  orchestrator.sharedAs ?? settings.nodeId

/** Whether this node can read the whole log of a server that is recorded under the node name `nodeId`. */
export const isOfThisNode = (ctx: Pick<Ports, 'orchestrator' | 'settings'>, nodeId: string): boolean =>
  nodeId === machineOf(ctx) || nodeId === ctx.orchestrator.runsFor

/** Whether every node observes and controls the same servers. */
export const isSharedPlace = ({ orchestrator }: Pick<Ports, 'orchestrator'>): boolean =>
  orchestrator.sharedAs !== undefined
