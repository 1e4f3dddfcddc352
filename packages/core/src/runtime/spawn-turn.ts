import type { Service } from '../node/service'

const keyOf = (instanceId: string) => `spawn:${instanceId}`

/**
 * Serialises the work on the processes of an instance on this node: spawning, forgetting, giving up. Two runs of one job (its lease expired, or
 * a reconcile scheduled it again) would otherwise forget a process that the other has just spawned.
 */
export const inSpawnTurn = <T>(ctx: Service, instanceId: string, work: () => Promise<T>): Promise<T> =>
  ctx.node.turns.run(keyOf(instanceId), work)

/** Whether something of this instance is being spawned or given up right now. */
export const isSpawning = (ctx: Service, instanceId: string): boolean => ctx.node.turns.isBusy(keyOf(instanceId))
