import type { ObservedServer } from '../ports/orchestrator'
import type { Ports } from '../ports/ports'
import { type GameServer, stopGraceOf } from '../server/game-server'

/** Instance for which the orchestrator is called. A stray without a record has neither a region nor a grace period of its own. */
export type Whom = Pick<GameServer, 'id' | 'stopGraceSeconds'> & Partial<Pick<GameServer, 'region'>>

/** Returns the current processes of an instance on this node's machine, of all attempts. Throws when the processes cannot be observed. */
export async function seenHere(
  { orchestrator }: Pick<Ports, 'orchestrator'>,
  { id, region }: Whom,
): Promise<ObservedServer[]> {
  return (await orchestrator.observe(id, { region })).filter((seen) => seen.instanceId === id)
}

/** Whether any of these processes still runs. */
export const isAnyAlive = (seen: readonly ObservedServer[]): boolean => seen.some(({ state }) => state !== 'exited')

/** Requests the orchestrator to stop all processes of an instance. */
export const stopHere = ({ orchestrator, settings }: Ports, whom: Whom): Promise<void> =>
  orchestrator.stop(whom.id, { graceMs: stopGraceOf(whom, settings.stopGraceMs), region: whom.region })

/** Frees the resources that ended processes of an instance still use on this node. */
export const forgetHere = ({ orchestrator }: Ports, { id, region }: Whom): Promise<void> =>
  orchestrator.forget(id, { region })

/**
 * Removes the remains of earlier attempts that have ended on this node. When this node stalled and another node gave up an attempt, the
 * process of the attempt may still run. Nothing is removed then, because the orchestrator needs the data of the attempt to stop that
 * process, as a stray or at the next launch on this node.
 */
export async function forgetEnded(ctx: Ports, whom: Whom): Promise<void> {
  if (!isAnyAlive(await seenHere(ctx, whom))) await forgetHere(ctx, whom)
}
