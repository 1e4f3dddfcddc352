import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
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
const LOOK_EVERY_MS = 30

/** What a studio does once with its server key: uploads the build of its game server, and makes the queue. Answers the queue's id. */
export async function prepare(credentials: Credentials, options: ArenaOptions = {}): Promise<string> {
  const { seconds = 60, graceSeconds = 3, players = 8, readyCheck = true } = options
  const archive = await bundleServer()
  // The same sources are the same build: nothing is uploaded twice.
  const name = `${BUILD}-${digest(archive)}`
  await uploadOnce(credentials, name, archive)
  const queue = {
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
  await makeQueue(credentials, queueId, queue)
  return queueId
}

const digest = (content: Uint8Array | string) => createHash('sha256').update(content).digest('hex').slice(0, 10)

async function call<T>(
  { base_url, server_key }: Credentials,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const headers = { 'api-key': server_key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const answer = await fetch(new URL(path, base_url), init)
  const said = (await answer.json()) as T & { readonly code?: string; readonly detail?: string }
  if (!answer.ok) throw Object.assign(new Error(`${method} ${path}: ${said.detail}`), { code: said.code })
  return said
}

async function uploadOnce(credentials: Credentials, name: string, archive: Uint8Array): Promise<void> {
  const { total } = await call<{ total: number }>(credentials, 'GET', `/v1/builds?status=ready&name=${name}`)
  if (total > 0) return
  const wanted = { name, executable_path: 'server.mjs' }
  const upload = await call<{ build_id: string; upload_url: string }>(
    credentials,
    'POST',
    '/v1/builds/upload-url',
    wanted,
  )
  const sent = await fetch(upload.upload_url, { method: 'PUT', body: new Uint8Array(archive) })
  if (!sent.ok) throw new Error(`the upload of the game server answered ${sent.status}`)
  for (;;) {
    const path = `/v1/builds/${upload.build_id}`
    const build = await call<{ status: string; error_message: string | null }>(credentials, 'GET', path)
    if (build.status === 'ready') return
    if (build.status === 'failed') throw new Error(`the build of the game server failed: ${build.error_message}`)
    await pause(LOOK_EVERY_MS)
  }
}

async function makeQueue(credentials: Credentials, queueId: string, queue: object): Promise<void> {
  await call(credentials, 'POST', '/v1/queues', { queue_id: queueId, ...queue }).catch((error: { code?: string }) => {
    if (error.code !== 'QUEUE_EXISTS') throw error
  })
}
