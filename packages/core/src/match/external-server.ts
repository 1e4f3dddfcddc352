import type { ServerSummary } from '../server/game-server'
import type { Match } from './match'

/** What lobbies show of a server of the studio's own; null until one was told. It has no row, and no life but its match's. */
export function externalServerOf({ id, external, endedAt }: Match): ServerSummary | null {
  if (external?.assignment == null) return null
  const { host, ports, region } = external.assignment
  return {
    instanceId: `ext_${id.slice(id.indexOf('_') + 1)}`,
    region,
    status: endedAt === null ? 'running' : 'stopped',
    matchId: id,
    networkPorts: ports.map(({ name, protocol, port }) => ({
      ...{ name, protocol, internalPort: port, externalPort: port, host, tlsEnabled: false },
    })),
  }
}
