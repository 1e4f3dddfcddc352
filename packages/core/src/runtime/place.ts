import type { Ports } from '../ports/ports'

/** Under which name the servers that are launched here are kept in the records: this node's, or that of all which share an orchestrator. */
export const machineOf = ({ orchestrator, settings }: Pick<Ports, 'orchestrator' | 'settings'>): string =>
  orchestrator.sharedAs ?? settings.nodeId

/** Whether what `logs` reads here is all that there is of a server of this node's name. */
export const isOfThisNode = (ctx: Pick<Ports, 'orchestrator' | 'settings'>, nodeId: string): boolean =>
  nodeId === machineOf(ctx) || nodeId === ctx.orchestrator.runsFor

/** Whether every node sees and steers the same servers. */
export const isSharedPlace = ({ orchestrator }: Pick<Ports, 'orchestrator'>): boolean =>
  orchestrator.sharedAs !== undefined
