import { ofServer } from '../commit/of-server'
import { change } from '../commit/transact'
import { accept } from '../errors/decision'
import type { Service } from '../node/service'
import { servedRegions } from '../reads/machines'
import type { GameServer } from '../server/game-server'
import { rerouteServer } from '../server/room'

/**
 * Moves a launching server to a served region, when no machine serves its region and the installation allows it (`regionFallback`). Returns
 * whether the server was moved.
 */
export async function reroute(ctx: Service, seen: GameServer): Promise<boolean> {
  if (ctx.settings.regionFallback !== 'any') return false
  const served = await servedRegions(ctx)
  const [region] = served ?? []
  if (served === undefined || region === undefined || served.includes(seen.region)) return false
  let isMoved = false
  await change(ctx, ofServer, seen.id, (server) => {
    const events = rerouteServer(server, seen, region)
    isMoved = events.length > 0
    return accept(...events)
  })
  if (isMoved)
    ctx.logger.warn('a game server runs in another region', { instance_id: seen.id, asked: seen.region, region })
  return isMoved
}
