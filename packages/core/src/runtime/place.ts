import type { Context } from '../context/context'

/** Under which name the servers that are launched here are kept in the records: this node's, or that of all which share an orchestrator. */
export const placeOf = ({ orchestrator, settings }: Pick<Context, 'orchestrator' | 'settings'>): string =>
  orchestrator.sharedAs ?? settings.nodeId

/** Whether what `logs` reads here is all that there is of a server of this node's name. */
export const isOfThisNode = (ctx: Pick<Context, 'orchestrator' | 'settings'>, nodeId: string): boolean =>
  nodeId === placeOf(ctx) || nodeId === ctx.orchestrator.runsFor

/** Whether every node sees and steers the same servers. */
export const isSharedPlace = ({ orchestrator }: Pick<Context, 'orchestrator'>): boolean =>
  orchestrator.sharedAs !== undefined
