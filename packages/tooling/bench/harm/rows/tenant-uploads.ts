import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ZipFile } from 'yazl'
import { Client } from '../../../src/client'
import { eventually } from '../../../src/eventually'
import type { HarmFigure, HarmRow } from '../row'
import { type Figures, HarmWorld } from '../world'

const SENDER = new URL('../archive-sender.mjs', import.meta.url)
const UPLOADS = 70
/** Entries of one archive: about 200 MB unpacked, well below the allowed ratio. */
const ENTRIES = 192
const ENTRY_BYTES = 1024 ** 2
const RANDOM_BYTES = 16 * 1024
const AT_ONCE = 16
/** Uploads that are complete before the measurement starts. */
const AHEAD = 32
const LAUNCHES = 10
const GIVEN_UP_MS = 120_000
const TIMEOUT_SECONDS = 3
const PORTS = [
  { name: 'game', protocol: 'udp', internal_port: 7777 },
  { name: 'control', protocol: 'tcp', internal_port: 7778 },
]

interface Side extends Figures {
  readonly launchMs: readonly number[]
  readonly timeoutMs: number
}

async function bigArchive(): Promise<Buffer> {
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from('#!/bin/sh\nexec sleep 600\n'), 'server', { mode: 0o100755 })
  const block = randomBytes(RANDOM_BYTES)
  const entry = Buffer.concat(Array.from({ length: ENTRY_BYTES / RANDOM_BYTES }, () => block))
  for (let n = 0; n < ENTRIES; n++) zip.addBuffer(entry, `assets/${n}.bin`)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Creates another account with the plan `pro` and returns its server key. */
async function otherTenant(baseUrl: string): Promise<string> {
  const client = new Client(baseUrl)
  const post = async (path: string, body: unknown, token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const answer = await client.call({ method: 'POST', path, body, headers })
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body as Record<string, string> & { keys: { type: string; key: string }[] }
  }
  const password = randomBytes(12).toString('hex')
  const { token } = await post('/v1/auth/register', { email: 'crowd@example.com', password, name: 'Crowd' })
  await post('/v1/billing/upgrade', { plan: 'pro', payment_method_token: 'pm_test_visa' }, token)
  const { keys } = await post('/v1/projects', { name: 'Crowd' }, token)
  const key = keys.find(({ type }) => type === 'server')?.key
  client.close()
  if (key === undefined) throw new Error('the other tenant has no key')
  return key
}

/** Uploads all archives, several at a time; calls `ahead` after the first `AHEAD` uploads. */
async function uploadAll(world: HarmWorld, key: string, archive: Buffer, ahead: () => void): Promise<void> {
  const { baseUrl } = world
  const workerData = { baseUrl, key, archive, uploads: UPLOADS, atOnce: AT_ONCE, ahead: AHEAD }
  const sender = new Worker(SENDER, { workerData })
  sender.once('message', ahead)
  const [code] = (await once(sender, 'exit')) as [number]
  if (code !== 0) throw new Error(`the sender ended with code ${code}`)
}

async function launchMs(client: Client, key: string): Promise<number> {
  const startedAt = performance.now()
  const body = { version_tag: 'demo-game', network_ports: PORTS }
  const made = await client.call<{ instance_id: string }>({ method: 'POST', path: '/v1/servers', key, body })
  const path = `/v1/servers/${made.body.instance_id}`
  const running = ({ body }: { body: { status?: unknown } }) => body.status === 'running' || body.status === 'failed'
  const look = () => client.call({ method: 'GET', path, key })
  // A launch that failed, or did not run within this time, counts as this long.
  const status = await eventually(look, running, GIVEN_UP_MS).then(
    ({ body: server }) => server.status,
    () => 'launching',
  )
  if (status !== 'running') return GIVEN_UP_MS
  const took = performance.now() - startedAt
  await client.call({ method: 'DELETE', path, key })
  return took
}

/** Returns the milliseconds from the entry into a queue without other players until its timeout has ended the wait. */
async function timeoutMs(client: Client, player: string): Promise<number> {
  const body = { queue_id: 'lonely' }
  const { body: made } = await client.call<{ lobby_id: string }>({ method: 'POST', path: '/v1/lobbies', player, body })
  if (made.lobby_id === undefined) throw new Error(JSON.stringify(made))
  const path = `/v1/lobbies/${made.lobby_id}`
  const startedAt = performance.now()
  await client.call({ method: 'POST', path: `${path}/queue`, player })
  await eventually(
    () => client.call({ method: 'GET', path, player }),
    ({ body: lobby }) => lobby.status === 'waiting',
    120_000,
  )
  return performance.now() - startedAt
}

async function side(world: HarmWorld, client: Client, attack: (ahead: () => void) => Promise<unknown>): Promise<Side> {
  const key = world.credentials.server_key
  const launches: number[] = []
  let timedOut = 0
  const figures = await world.watch(async () => {
    let attacking: Promise<unknown> = Promise.resolve()
    // The measurement starts while the service checks the uploaded archives.
    await new Promise<void>((ahead) => {
      attacking = attack(ahead)
    })
    await Promise.all([
      attacking,
      timeoutMs(client, `lone-${Math.round(performance.now())}`).then((ms) => {
        timedOut = ms
      }),
      (async () => {
        for (let n = 0; n < LAUNCHES; n++) launches.push(await launchMs(client, key))
      })(),
    ])
  })
  return { ...figures, launchMs: launches.sort((a, b) => a - b), timeoutMs: timedOut }
}

const median = (sorted: readonly number[]) => sorted[Math.floor(sorted.length / 2)] ?? 0

export const row: HarmRow = {
  name: 'tenant-uploads',
  harm: `one tenant uploads ${UPLOADS} legal archives of ${(ENTRIES * ENTRY_BYTES) / 1e6} MB unpacked`,
  async run(): Promise<readonly HarmFigure[]> {
    const archive = await bigArchive()
    const world = await HarmWorld.start()
    const client = world.client()
    try {
      const key = world.credentials.server_key
      const ready = () => client.call({ method: 'GET', path: '/v1/builds?status=ready', key })
      await eventually(ready, ({ body }) => body.total === 1)
      const matchmaking = { teams: 2, players_per_team: 1 }
      const queue = { queue_id: 'lonely', name: 'Lonely', timeout: TIMEOUT_SECONDS, matchmaking }
      const made = await client.call({ method: 'POST', path: '/v1/queues', key, body: queue })
      if (made.status !== 201) throw new Error(JSON.stringify(made.body))
      const crowd = await otherTenant(world.baseUrl)
      // The first launch unpacks the build, which must not be part of the measurement.
      await launchMs(client, key)
      const quiet = await side(world, client, async (ahead) => ahead())
      const attacked = await side(world, client, (ahead) => uploadAll(world, crowd, archive, ahead))
      return [
        {
          what: "another's launch, median",
          unit: 'ms',
          quiet: median(quiet.launchMs),
          attacked: median(attacked.launchMs),
        },
        {
          what: "another's launch, longest",
          unit: 'ms',
          quiet: quiet.launchMs.at(-1) ?? 0,
          attacked: attacked.launchMs.at(-1) ?? 0,
        },
        { what: `a timeout of ${TIMEOUT_SECONDS} s`, unit: 'ms', quiet: quiet.timeoutMs, attacked: attacked.timeoutMs },
        { what: '/livez, longest', unit: 'ms', quiet: quiet.livezMs.max, attacked: attacked.livezMs.max },
        { what: 'memory, most', unit: 'MB', quiet: quiet.memoryMb.peak, attacked: attacked.memoryMb.peak },
      ]
    } finally {
      client.close()
      await world.stop()
    }
  },
}
