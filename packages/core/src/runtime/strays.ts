import { machineOf } from '../node/place'
import type { Service } from '../node/service'
import type { ObservedServer } from '../ports/orchestrator'
import { type GameServer, isLive } from '../server/game-server'
import { MINUTE_MS } from '../shared/time'

/** Milliseconds until the same instance is logged again. */
const AGAIN_MS = 10 * MINUTE_MS
/** Maximum number of logged instances that are remembered. Further ones are not logged. */
const REMEMBERED = 1_000

/**
 * Logs a stray once: a process on this machine that has no live record of this machine. With a live record of another machine, the line
 * names that machine. The record does not change, whatever this machine reports.
 */
export function tellStray(
  ctx: Service,
  instanceId: string,
  seen: readonly ObservedServer[],
  record: GameServer | undefined,
): void {
  const { node, clock, logger } = ctx
  const alive = seen.filter(({ state }) => state !== 'exited')
  const recordedOn = record !== undefined && isLive(record) ? record.nodeId : null
  if (alive.length === 0 && recordedOn === null) return
  const { straysTold } = node
  const now = clock.now()
  const key = `${instanceId} ${recordedOn ?? ''}`
  if ((straysTold.get(key) ?? Number.NEGATIVE_INFINITY) > now - AGAIN_MS) return
  if (straysTold.size >= REMEMBERED)
    for (const [other, at] of straysTold) if (at <= now - AGAIN_MS) straysTold.delete(other)
  if (straysTold.size >= REMEMBERED && !straysTold.has(key)) return
  straysTold.set(key, now)
  const machine = machineOf(ctx)
  const attempts = seen.map(({ attempt }) => attempt)
  if (recordedOn === null) logger.warn('a stray game server is stopped', { instance_id: instanceId, machine, attempts })
  else
    logger.warn('a machine reported a game server of another machine', {
      instance_id: instanceId,
      machine,
      attempts,
      recorded_on: recordedOn,
    })
}
