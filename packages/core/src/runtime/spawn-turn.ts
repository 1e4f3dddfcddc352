import type { Service } from '../node/service'

const keyOf = (instanceId: string) => `spawn:${instanceId}`

/**
 * Serialises the work on the processes of one instance on this node: spawning, forgetting, giving up. Two runs of one job can overlap when
 * its lease expired or a reconcile scheduled it again. One run could then forget a process that the other has just spawned.
 */
export const inSpawnTurn = <T>(ctx: Service, instanceId: string, work: () => Promise<T>): Promise<T> =>
  ctx.node.turns.run(keyOf(instanceId), work)

/** Whether a process of this instance is being spawned or given up at present. */
export const isSpawning = (ctx: Service, instanceId: string): boolean => ctx.node.turns.isBusy(keyOf(instanceId))
