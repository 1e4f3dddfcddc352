import { setTimeout as wait } from 'node:timers/promises'
import type { Matchyard } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'

/** Longer than the grace between SIGTERM and SIGKILL. */
const GIVE_UP_MS = 15_000
const LOOK_EVERY_MS = 50

/** Stops every live game server of this installation, waits until it is gone, and removes what it left on this machine. */
export async function stopGameServers(storage: Storage, matchyard: Matchyard): Promise<void> {
  const live = await storage.servers.listLive()
  await Promise.all(live.map(({ projectId, id }) => matchyard.servers.stop({ projectId, instanceId: id })))
  const until = performance.now() + GIVE_UP_MS
  while (performance.now() < until) {
    if ((await storage.servers.listLive()).length === 0) break
    await wait(LOOK_EVERY_MS)
  }
  // A container outlives its process, and its record as a live server, until the next look puts its log away: that is this one.
  await matchyard.worker.reconcileServers()
}
