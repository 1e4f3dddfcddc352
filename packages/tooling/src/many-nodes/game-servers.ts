import type { GameServer } from '@matchyard/core'
import { packGameServer } from '@matchyard/example-game-server'
import { eventually } from '../eventually'
import type { Cluster } from './cluster'

const PORTS = [{ name: 'game', protocol: 'udp', internal_port: 7777 }] as const
/** A node that is slow to claim leaves a server to another node, so three servers may not be enough for three nodes. */
const SERVERS_AT_MOST = 24

/** Real game servers of the cluster's project, without matches. */
export class GameServers {
  private constructor(private readonly cluster: Cluster) {}

  /** Uploads the build of the example game server. */
  static async upload(cluster: Cluster): Promise<GameServers> {
    const servers = new GameServers(cluster)
    const body = { name: 'arena', executable_path: 'server.mjs' }
    const made = await servers.call<{ build_id: string; upload_url: string }>('POST', '/v1/builds/upload-url', body)
    const archive = new Uint8Array(await packGameServer())
    const { status } = await fetch(made.upload_url, { method: 'PUT', body: archive })
    if (status !== 204) throw new Error(`the upload was answered ${status}`)
    await eventually(
      () => servers.call('GET', `/v1/builds/${made.build_id}`),
      (build) => build.status === 'ready',
    )
    return servers
  }

  /** Starts servers until each node runs one. Returns the server of each node, by the number of the node. */
  async oneOnEachNode(): Promise<readonly GameServer[]> {
    const { nodes } = this.cluster
    const placed = (all: readonly GameServer[]) => nodes.map(({ nodeId }) => all.find((one) => one.nodeId === nodeId))
    const started: string[] = []
    for (let count = 0; count < SERVERS_AT_MOST; count++) {
      const made = await this.call<{ instance_id: string }>('POST', '/v1/servers', {
        version_tag: 'arena',
        network_ports: PORTS,
      })
      started.push((await this.until(made.instance_id, ({ status }) => status === 'running')).id)
      const all = placed((await this.read()).filter(({ id }) => started.includes(id)))
      if (all.every((one) => one !== undefined)) return all as GameServer[]
    }
    throw new Error(`a node runs none of ${SERVERS_AT_MOST} game servers`)
  }

  async read(): Promise<readonly GameServer[]> {
    const { storage, projectId } = this.cluster
    return (await storage.servers.list({ projectId, limit: 1_000, offset: 0 })).data
  }

  /** Waits until the record of a server fulfils a condition, and returns it. */
  async until(instanceId: string, holds: (server: GameServer) => boolean, withinMs = 60_000): Promise<GameServer> {
    const found = await eventually(
      () => this.cluster.storage.get('server', instanceId),
      (server) => server !== undefined && holds(server),
      withinMs,
    )
    return found as GameServer
  }

  private async call<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.cluster.node(0).call<T>({ method, path, key: this.cluster.serverKey, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
}
