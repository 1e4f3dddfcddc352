import { REGIONS, type Region } from '../catalog/regions'
import { lineCounter } from '../commit/counters'
import type { Ports } from '../ports/ports'
import type { Instant } from '../shared/time'

export interface RoomFigures {
  /** Number of servers in the waiting line of this node's orchestrator, by region. */
  readonly byRegion: Readonly<Record<Region, number>>
  /** Creation time of the oldest waiting server; null when no server waits. */
  readonly oldestAt: Instant | null
}

/**
 * Returns the numbers of servers that wait for capacity. Commits keep these numbers in counters, so the cost does not depend on the number
 * of servers.
 */
export async function roomFigures({ storage, orchestrator: { name } }: Ports): Promise<RoomFigures> {
  const counts = await Promise.all(REGIONS.map((region) => storage.counters.read(lineCounter(name, region))))
  const byRegion = Object.fromEntries(REGIONS.map((region, index) => [region, counts[index] ?? 0]))
  const [oldest] = counts.some((count) => count > 0) ? await storage.servers.firstInLine(name) : []
  return { byRegion: byRegion as Record<Region, number>, oldestAt: oldest?.createdAt ?? null }
}
