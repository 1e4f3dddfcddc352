import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMatchyard, type GameServer, type Matchyard } from '@matchyard/core'
import { packGameServer } from '@matchyard/example-game-server'
import { nodePlatform } from '@matchyard/node'
import { eventually } from '../../src/eventually'
import { type Cluster, startCluster } from '../../src/many-nodes/cluster'
import { SmallDisk } from '../../src/many-nodes/small-disk'
import { Networks } from './network'
import { Relay } from './relay'

/** Regions of the machines. The last machine joins during the proof. */
export const REGIONS = ['fra', 'iad', 'fra'] as const
export type PlayedRegion = (typeof REGIONS)[number]
/** Milliseconds from a machine to the database, one way. */
export const DISTANCE_MS = { fra: 1, iad: 20 } as const
/** Seconds for which the proof lets a machine be away, and seconds after which a machine that said goodbye is given up. */
export const AWAY_SECONDS = Number(process.env.MATCHYARD_AWAY_SECONDS ?? 40)
export const MACHINE_AWAY_SECONDS = AWAY_SECONDS * 2
const GAME = fileURLToPath(new URL('./game', import.meta.url))
const DISK_MB = 48
/** Queues: a short match ends when both players have greeted it, and a long one after some minutes. */
const QUEUES = {
  short: { MATCH_SECONDS: '60', MATCH_PLAYERS: '2' },
  long: { MATCH_SECONDS: String(AWAY_SECONDS + 120), MATCH_PLAYERS: '0' },
} as const

/** Three machines in two regions, with a network each, and the first with a small disk of its own. */
export class Ground {
  readonly networks = Networks.create(REGIONS.length)
  private readonly relays: Relay[] = []
  private readonly scratch = mkdtempSync(join(tmpdir(), 'matchyard-machines-'))
  private readonly folders: string[] = []
  private disk: SmallDisk | undefined
  private started: { readonly cluster: Cluster; readonly operator: Matchyard } | undefined

  /** Starts the first two machines. */
  async start(): Promise<void> {
    const cluster = await startCluster(REGIONS.length - 1, {
      environment: {
        MAX_SERVERS: '12',
        PLACEMENT: 'spread',
        CAPACITY_TIMEOUT_SECONDS: '90',
        NODE_LOST_AFTER_SECONDS: '30',
        LAUNCH_TIMEOUT_SECONDS: '120',
        MACHINE_AWAY_SECONDS: String(MACHINE_AWAY_SECONDS),
      },
      environmentOf: (machine) => ({
        REGIONS: REGIONS[machine] ?? '',
        SERVER_HOST: this.networks.placeOf(machine).host,
      }),
      placeOf: (machine) => this.networks.placeOf(machine),
      prepare: (folder, machine) => {
        this.folders[machine] = folder
        if (machine === 0) this.disk = SmallDisk.mount(folder, DISK_MB)
      },
      between: async (url, machine) => {
        const relay = await Relay.start(url, this.networks.gateway, DISTANCE_MS[REGIONS[machine] ?? 'fra'])
        this.relays.push(relay)
        return relay.url
      },
      close: async () => {
        this.disk?.unmount()
        for (const relay of this.relays) await relay.stop()
      },
    })
    const operator = createMatchyard({
      storage: cluster.storage,
      ...nodePlatform({ secret: randomBytes(36).toString('base64') }),
    })
    this.started = { cluster, operator }
    if (this.disk === undefined) throw new Error('a file system cannot be mounted here')
    await this.upload()
    for (const [queue, environment] of Object.entries(QUEUES)) await this.makeQueue(queue, environment)
  }

  get cluster(): Cluster {
    if (this.started === undefined) throw new Error('the machines are not started')
    return this.started.cluster
  }

  /** Operations of the operator, directly on the storage, as `matchyard machines` does. */
  get machines(): Matchyard['machines'] {
    if (this.started === undefined) throw new Error('the machines are not started')
    return this.started.operator.machines
  }

  async servers(): Promise<readonly GameServer[]> {
    const { storage, projectId } = this.cluster
    const all: GameServer[] = []
    for (let offset = 0; ; offset += 1_000) {
      const { data } = await storage.servers.list({ projectId, limit: 1_000, offset })
      all.push(...data)
      if (data.length < 1_000) return all
    }
  }

  /** Makes a call with a server key to a node that runs. */
  async backend<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T> {
    const { serverKey: key, nodes } = this.cluster
    const node = nodes.find(({ isUp }) => isUp)
    const answer = await node?.call<T>({ method, path, key, body })
    if (answer === undefined || answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer?.status} ${JSON.stringify(answer?.body)}`)
    return answer.body
  }

  /** Uploads the game server through the second machine, as a new version of its build. */
  async upload(): Promise<void> {
    const { serverKey: key } = this.cluster
    const body = { name: 'match', executable_path: 'server.mjs' }
    const call = { method: 'POST', path: '/v1/builds/upload-url', key, body }
    const made = await this.cluster.node(1).call<{ build_id: string; upload_url: string }>(call)
    const archive = new Uint8Array(await packGameServer(GAME))
    const { status } = await fetch(made.body.upload_url, { method: 'PUT', body: archive })
    if (status !== 204) throw new Error(`the upload was answered ${status}`)
    await eventually(
      () => this.backend('GET', `/v1/builds/${made.body.build_id}`),
      (build) => build.status === 'ready',
    )
  }

  fillDisk(): void {
    this.disk?.fill()
  }

  emptyDisk(): void {
    this.disk?.empty()
  }

  /** Hides the archives of builds from a machine. Returns a function that shows them again. */
  hideArchives(machine: number): () => void {
    const link = join(this.folders[machine] ?? '', 'builds')
    const empty = join(this.scratch, 'empty')
    mkdirSync(empty, { recursive: true })
    unlinkSync(link)
    symlinkSync(empty, link)
    return () => {
      unlinkSync(link)
      symlinkSync(join(this.folders[machine] ?? '', '..', 'builds'), link)
    }
  }

  async stop(): Promise<void> {
    await this.started?.cluster.stop()
    this.networks.remove()
    rmSync(this.scratch, { recursive: true, force: true })
  }

  private async makeQueue(queueId: string, environment: Readonly<Record<string, string>>): Promise<void> {
    await this.backend('POST', '/v1/queues', {
      ...{ queue_id: queueId, name: queueId, timeout: 900 },
      matchmaking: { teams: 2, players_per_team: 1, rules: [{ type: 'region' }] },
      server_settings: {
        version_tag: 'match',
        network_ports: [{ name: 'game', protocol: 'udp', internal_port: 7777 }],
        environment,
      },
    })
  }
}
