import type { Service } from '../node/service'

const keyOf = (instanceId: string) => `spawn:${instanceId}`

/**
 * Runs work on the processes of one instance (spawning, removing remains, giving up an attempt) one after another on this node. Otherwise
 * two runs of one job could overlap, when the job's lease expired or when a reconcile pass scheduled the job again. One run could then
 * remove the remains of a process that the other run has just spawned.
 */
export const inSpawnTurn = <T>(ctx: Service, instanceId: string, work: () => Promise<T>): Promise<T> =>
  ctx.node.turns.run(keyOf(instanceId), work)

/** Whether this node is spawning or giving up a process of this instance now. */
export const isSpawning = (ctx: Service, instanceId: string): boolean => ctx.node.turns.isBusy(keyOf(instanceId))
