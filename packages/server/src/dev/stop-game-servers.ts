import { setTimeout as wait } from 'node:timers/promises'
import type { Matchyard } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'

/** Maximum time to wait in milliseconds, longer than the time between SIGTERM and SIGKILL. */
const GIVE_UP_MS = 15_000
const LOOK_EVERY_MS = 50

/**
 * Stops every live game server of this installation, waits at most 15 seconds until they have ended, and removes their
 * files and containers on this machine.
 */
export async function stopGameServers(storage: Storage, matchyard: Matchyard): Promise<void> {
  const live = await storage.servers.listLive()
  await Promise.all(live.map(({ projectId, id }) => matchyard.servers.stop({ projectId, instanceId: id })))
  const until = performance.now() + GIVE_UP_MS
  while (performance.now() < until) {
    if ((await storage.servers.listLive()).length === 0) break
    await wait(LOOK_EVERY_MS)
  }
  // A stopped container, and the live record of its server, stay until a reconcile saves the container's log. Therefore
  // a reconcile runs here.
  await matchyard.worker.reconcileServers()
}
