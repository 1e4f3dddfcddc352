import { memoryStorage } from '@matchyard/storage-memory'
import type { Command } from './commands'
import { IMAGE, tcp, udp } from './queues'
import type { World } from './world'

/** Calls of players, backends and operators; the service decides whether it can carry them out. */
export class People {
  private players = 0

  constructor(private readonly world: World) {}

  perform({ kind, a, b }: Command): void {
    const { services, audit, matches, projectId } = this.world
    const matchyard = services[a % services.length]?.matchyard
    if (matchyard === undefined) return
    const servers = [...audit.live]
    const server = servers[b % Math.max(1, servers.length)]
    const call = (work: Promise<unknown>) =>
      void work.then(
        () => audit.count(`${kind} ok`),
        (error: { code?: string }) => audit.count(`${kind} ${error.code ?? String(error)}`),
      )
    if (kind === 'build') {
      const imageUrl = `${IMAGE.slice(0, -1)}${b % 10}`
      call(matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl }))
    } else if (kind === 'match') {
      const queueId = b % 2 === 0 ? 'duel' : 'hardy'
      for (const playerId of [`p${++this.players}`, `p${++this.players}`]) {
        call(
          matchyard.lobbies
            .create({ projectId, queueId, playerId })
            .then((lobby) => matchyard.lobbies.enqueue({ projectId, lobbyId: lobby.id, playerId })),
        )
      }
    } else if (kind === 'server') {
      const networkPorts = b % 3 === 0 ? [udp, tcp] : [udp]
      const ttl = b % 5 === 0 ? { ttlSeconds: 60 } : {}
      call(matchyard.servers.create({ projectId, versionTag: 'arena', networkPorts, autoRestart: b % 2 === 0, ...ttl }))
    } else if (server !== undefined && kind === 'end' && server.matchId !== null) {
      matches.mayEnd(server.matchId)
      call(this.endMatch(server.matchId))
    } else if (server !== undefined && kind !== 'end') {
      const on = { projectId, instanceId: server.id }
      if (kind === 'stop') matches.mayEnd(server.id)
      call(kind === 'restart' ? matchyard.servers.restart(on) : matchyard.servers.stop(on))
    }
  }

  /** Stops all live servers. */
  stopAll(): void {
    const { services, audit, matches, projectId } = this.world
    const matchyard = services[0]?.matchyard
    if (matchyard === undefined) return
    for (const { id } of audit.live) {
      matches.mayEnd(id)
      matchyard.servers.stop({ projectId, instanceId: id }).catch(() => {})
    }
  }

  private async endMatch(matchId: string): Promise<void> {
    const { services, data, projectId } = this.world
    const matchyard = services.find((one) => one.matchyard !== undefined)?.matchyard
    const match = await memoryStorage({ data }).get('match', matchId)
    const lobbyId = match?.lobbyIds[0]
    if (matchyard === undefined || match === undefined || lobbyId === undefined) return
    const playerId = match.teams[0]?.players[0]?.playerId ?? ''
    await matchyard.lobbies.end({ projectId, lobbyId, playerId, backend: true })
  }
}
