import type { GameServer } from '@matchyard/core'
import { packGameServer } from '@matchyard/example-game-server'
import { eventually } from '../eventually'
import type { Cluster } from './cluster'

const PORTS = [{ name: 'game', protocol: 'udp', internal_port: 7777 }] as const

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
    for (const _ of nodes) await this.call('POST', '/v1/servers', { version_tag: 'arena', network_ports: PORTS })
    const placed = (all: readonly GameServer[]) =>
      nodes.map(({ nodeId }) => all.find((one) => one.nodeId === nodeId && one.status === 'running'))
    const all = await eventually(
      () => this.read(),
      (seen) => placed(seen).every((one) => one !== undefined),
      60_000,
    )
    return placed(all) as GameServer[]
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
