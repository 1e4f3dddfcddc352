import { createHash } from 'node:crypto'
import { isMatchyardError } from '@matchyard/client'
import { type AdminClient, createAdmin, type QueuesCreateBody } from '@matchyard/client/admin'
import { bundleServer } from './bundle'

/** Where the service is and the keys to it; what `matchyard dev` writes into credentials.json. */
export interface Credentials {
  readonly base_url: string
  readonly client_key: string
  readonly server_key: string
}

export interface ArenaOptions {
  /** How long a match lasts, in seconds; 60 unless said. */
  readonly seconds?: number
  /** For how long somebody who has gone may come back, in seconds; 3 unless said. */
  readonly graceSeconds?: number
  /** How many play at most; 8 unless said. */
  readonly players?: number
  /** Whether players are asked before a match; true unless said. */
  readonly readyCheck?: boolean
}

const BUILD = 'arena'

/** What a studio does once with its server key: uploads the build of its game server, and makes the queue. Answers the queue's id. */
export async function prepare(credentials: Credentials, options: ArenaOptions = {}): Promise<string> {
  const admin = createAdmin({ baseUrl: credentials.base_url, serverKey: credentials.server_key })
  const { seconds = 60, graceSeconds = 3, players = 8, readyCheck = true } = options
  const archive = await bundleServer()
  // The same sources are the same build: nothing is uploaded twice.
  const name = `${BUILD}-${digest(archive)}`
  await uploadOnce(admin, name, archive)
  const queue: Omit<QueuesCreateBody, 'queue_id'> = {
    name: 'Arena: two to eight, everybody for themselves',
    max_players: players,
    heartbeat: true,
    heartbeat_timeout: 30,
    server_settings: {
      version_tag: name,
      network_ports: [{ name: 'game', protocol: 'tcp', internal_port: 7777 }],
      readiness: 'self',
      ttl: seconds + 300,
      custom_data: { seconds, grace_seconds: graceSeconds },
    },
    matchmaking: {
      // One team of up to eight, in which each plays alone; so friends of one lobby meet in one match.
      teams: 1,
      players_per_team: players,
      min_players_per_team: 2,
      partial_after: 2,
      backfill: { automatic: false, priority: 'before', timeout: 60 },
      ...(readyCheck ? { ready_check: { timeout: 15 } } : {}),
    },
  }
  // A queue for each way to play, so that what was there before is never changed.
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
