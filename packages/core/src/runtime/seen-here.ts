import type { ObservedServer } from '../ports/orchestrator'
import type { Ports } from '../ports/ports'
import type { GameServer } from '../server/game-server'

/** Instance that a call to the orchestrator concerns. The region comes from the record; a stray has none. */
export type Whom = Pick<GameServer, 'id'> & Partial<Pick<GameServer, 'region'>>

/** Returns the present processes of an instance on this node's machine, of any attempt. Throws when they cannot be observed. */
export async function seenHere({ orchestrator }: Ports, { id, region }: Whom): Promise<ObservedServer[]> {
  return (await orchestrator.observe(id, { region })).filter((seen) => seen.instanceId === id)
}

/** Whether any of these processes still runs. */
export const isAnyAlive = (seen: readonly ObservedServer[]): boolean => seen.some(({ state }) => state !== 'exited')

/** Asks the orchestrator to stop all processes of an instance. */
export const stopHere = ({ orchestrator, settings }: Ports, { id, region }: Whom): Promise<void> =>
  orchestrator.stop(id, { graceMs: settings.stopGraceMs, region })

/** Frees the resources that ended processes of an instance still hold here. */
export const forgetHere = ({ orchestrator }: Ports, { id, region }: Whom): Promise<void> =>
  orchestrator.forget(id, { region })
