import { REGIONS, type Region } from '../catalog/regions'
import type { Service } from '../node/service'
import { launchesServers } from '../ports/none'
import { mayLaunch } from '../queue/decide'
import { regionFields } from '../queue/matchmaking'
import type { Queue } from '../queue/queue'
import type { JsonObject, JsonValue } from '../shared/json'
import { unserved } from './machines'

/** Player whose state may name regions. */
interface Named {
  readonly state: JsonObject
}

/** Returns the regions in the fields of the queue's `region` and `latency` rules that no machine serves. */
export async function unservedOf(ctx: Service, queue: Queue, players: readonly Named[]): Promise<readonly Region[]> {
  if (!mayLaunch(queue, launchesServers(ctx.orchestrator))) return []
  const fields = regionFields(queue.matchmaking?.rules ?? [])
  const named = players.flatMap(({ state }) => fields.flatMap((field) => regionsNamed(state[field])))
  return unserved(
    ctx,
    REGIONS.filter((region) => named.includes(region)),
  )
}

/** Returns the region codes of a list, or of the keys of a map from regions to latencies. */
function regionsNamed(value: JsonValue | undefined): readonly unknown[] {
  if (Array.isArray(value)) return value
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}
