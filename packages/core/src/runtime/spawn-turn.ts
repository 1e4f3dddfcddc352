import type { Service } from '../node/service'

const keyOf = (instanceId: string) => `spawn:${instanceId}`

/**
 * One at a time per instance on this node: what spawns its processes, and what forgets or gives up on them. Two runs of one job
 * (its lease ran out, or a reconcile put it again) would otherwise forget a process that the other has just spawned.
 */
export const inSpawnTurn = <T>(ctx: Service, instanceId: string, work: () => Promise<T>): Promise<T> =>
  ctx.node.turns.run(keyOf(instanceId), work)

/** Whether something of this instance is being spawned or given up right now. */
export const isSpawning = (ctx: Service, instanceId: string): boolean => ctx.node.turns.isBusy(keyOf(instanceId))
