import { createHash } from 'node:crypto'
import { isMatchyardError } from '@matchyard/client'
import { type AdminClient, createAdmin, type QueuesCreateBody } from '@matchyard/client/admin'
import { bundleServer } from './bundle'

/** Address and keys of the service, as `matchyard dev` writes them into credentials.json. */
export interface Credentials {
  readonly base_url: string
  readonly client_key: string
  readonly server_key: string
}

export interface ArenaOptions {
  /** Duration of a match, in seconds; 60 by default. */
  readonly seconds?: number
  /** Seconds for which a disconnected player may come back; 3 by default. */
  readonly graceSeconds?: number
  /** Maximum number of players; 8 by default. */
  readonly players?: number
  /** Whether players are asked before a match (ready check); true by default. */
  readonly readyCheck?: boolean
  /** Whether players connect with TLS (`wss://`), by the certificate of the machine; false by default. */
  readonly tls?: boolean
}

const BUILD = 'arena'

/**
 * Does the one-time steps of a studio with its server key: uploads the build of the game server and creates the queue.
 * Returns the queue's id.
 */
export async function prepare(credentials: Credentials, options: ArenaOptions = {}): Promise<string> {
  const admin = createAdmin({ baseUrl: credentials.base_url, serverKey: credentials.server_key })
  const { seconds = 60, graceSeconds = 3, players = 8, readyCheck = true, tls = false } = options
  const archive = await bundleServer()
  // The name holds a digest of the archive, so that equal sources are uploaded once.
  const name = `${BUILD}-${digest(archive)}`
  await uploadOnce(admin, name, archive)
  const queue: Omit<QueuesCreateBody, 'queue_id'> = {
    name: 'Arena: two to eight, everybody for themselves',
    max_players: players,
    heartbeat: true,
    heartbeat_timeout: 30,
    server_settings: {
      version_tag: name,
      network_ports: [{ name: 'game', protocol: 'tcp', internal_port: 7777, ...(tls ? { tls_enabled: true } : {}) }],
      readiness: 'self',
      ttl: seconds + 300,
      custom_data: { seconds, grace_seconds: graceSeconds },
    },
    matchmaking: {
      // One team of up to eight players, in which each plays alone. Friends of one lobby therefore meet in one match.
      teams: 1,
      players_per_team: players,
      min_players_per_team: 2,
      partial_after: 2,
      backfill: { automatic: false, priority: 'before', timeout: 60 },
      ...(readyCheck ? { ready_check: { timeout: 15 } } : {}),
    },
  }
  // Each set of rules has a queue of its own, so that existing queues are never changed.
  const queueId = `arena_${digest(JSON.stringify(queue))}`
  await makeQueue(admin, { queue_id: queueId, ...queue })
  return queueId
}

const digest = (content: Uint8Array | string) => createHash('sha256').update(content).digest('hex').slice(0, 10)

async function uploadOnce(admin: AdminClient, name: string, zip: Uint8Array): Promise<void> {
  for await (const _ of admin.builds.list({ status: 'ready', name })) return
  await admin.builds.upload({ name, executablePath: 'server.mjs', zip })
}

async function makeQueue(admin: AdminClient, queue: QueuesCreateBody): Promise<void> {
  await admin.queues.create(queue).catch((error: unknown) => {
    if (!isMatchyardError(error, 'QUEUE_EXISTS')) throw error
  })
}
