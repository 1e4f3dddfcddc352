import type { Service } from '../node/service'

const keyOf = (instanceId: string) => `spawn:${instanceId}`

/**
 * Runs work on the processes of one instance one by one on this node: spawning, removing remains, giving up. Without this, two runs of one
 * job could overlap, when its lease expired or a reconcile pass scheduled it again. One run could then remove the remains of a process that
 * the other run has just spawned.
 */
export const inSpawnTurn = <T>(ctx: Service, instanceId: string, work: () => Promise<T>): Promise<T> =>
  ctx.node.turns.run(keyOf(instanceId), work)

/** Whether a process of this instance is being spawned or given up at present. */
export const isSpawning = (ctx: Service, instanceId: string): boolean => ctx.node.turns.isBusy(keyOf(instanceId))
