import type { ObservedServer } from '../ports/orchestrator'
import type { Ports } from '../ports/ports'
import type { GameServer } from '../server/game-server'

/** Whom the orchestrator is asked about. Its region is the record's; of a stray nobody knows it. */
export type Whom = Pick<GameServer, 'id'> & Partial<Pick<GameServer, 'region'>>

/** What this node's machine shows of an instance now, under whichever attempt it was spawned. Throws where that cannot be told. */
export async function seenHere({ orchestrator }: Ports, { id, region }: Whom): Promise<ObservedServer[]> {
  return (await orchestrator.observe(id, { region })).filter((seen) => seen.instanceId === id)
}

/** Whether any of these still runs. */
export const isAnyAlive = (seen: readonly ObservedServer[]): boolean => seen.some(({ state }) => state !== 'exited')

/** Asks all that runs of an instance to end. */
export const stopHere = ({ orchestrator, settings }: Ports, { id, region }: Whom): Promise<void> =>
  orchestrator.stop(id, { graceMs: settings.stopGraceMs, region })

/** Frees what ended processes of an instance still hold here. */
export const forgetHere = ({ orchestrator }: Ports, { id, region }: Whom): Promise<void> =>
  orchestrator.forget(id, { region })
