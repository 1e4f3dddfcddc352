import type { ServerSummary } from '../server/game-server'
import type { Match } from './match'

/** Returns the instance id of a server that the studio runs. The id is made from the id of the match, because such a server has no row. */
export const externalIdOf = ({ id }: Match): string => `ext_${id.slice(id.indexOf('_') + 1)}`

/**
 * Returns the summary of the server that the studio's backend assigned; null until a server is assigned. Such a server has no row and ends
 * with its match.
 */
export function externalServerOf(match: Match): ServerSummary | null {
  const { id, external, endedAt } = match
  if (external?.assignment == null) return null
  const { host, ports, region } = external.assignment
  return {
    instanceId: externalIdOf(match),
    region,
    status: endedAt === null ? 'running' : 'stopped',
    matchId: id,
    networkPorts: ports.map(({ name, protocol, port }) => ({
      ...{ name, protocol, internalPort: port, externalPort: port, host, tlsEnabled: false },
    })),
  }
}
