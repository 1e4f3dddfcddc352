import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { HarmFigure, HarmRow } from '../row'
import { type Figures, HarmWorld } from '../world'

const BODIES = 100
/** Rounds before the measurement, and bodies in each round. */
const WARM_UP = 20
const BODY_BYTES = 4 * 1024 ** 2
const SENDER = new URL('../half-upload-sender.mjs', import.meta.url)
const MIB = 1024 ** 2

interface Side extends Figures {
  readonly diskMb: number
  readonly taken: number
}

/** Creates a build of that name and returns its signed upload URL. */
async function uploadUrl(world: HarmWorld, name: string): Promise<string> {
  const { body } = await world.client(world.credentials.server_key).call<{ upload_url: string }>({
    method: 'POST',
    path: '/v1/builds/upload-url',
    body: { name, executable_path: 'server' },
  })
  return body.upload_url
}

/**
 * Sends `bodies` bodies to one URL, calls `look` while they are open, then ends them. Returns how many bodies the
 * service read.
 */
async function attack(url: string, bodies: number, look: () => Promise<unknown>): Promise<number> {
  const sender = new Worker(SENDER, { workerData: { url, bodies, bodyBytes: BODY_BYTES } })
  const [{ taken }] = (await once(sender, 'message')) as [{ taken: number }]
  await look()
  sender.postMessage('end')
  await once(sender, 'exit')
  return taken
}

async function measured(bodies: number): Promise<Side> {
  const world = await HarmWorld.start()
  try {
    // In a service that has run for some time, this code is compiled already.
    for (let n = 0; n < WARM_UP; n++) await attack(await uploadUrl(world, `warm-${n}`), WARM_UP, async () => {})
    const url = await uploadUrl(world, 'half')
    const folder = join(world.directory, 'builds')
    let diskMb = 0
    let taken = 0
    const figures = await world.watch(async () => {
      taken = await attack(url, bodies, async () => {
        await new Promise((resolve) => setTimeout(resolve, 500)) // until the sent bytes are written to disk
        diskMb = readdirSync(folder, { recursive: true })
          .filter((name) => String(name).endsWith('.part'))
          .reduce((sum, name) => sum + statSync(join(folder, String(name))).size / MIB, 0)
      })
    })
    return { ...figures, diskMb, taken }
  } finally {
    await world.stop()
  }
}

/** One signed URL to which many bodies are sent at the same time. */
export const row: HarmRow = {
  name: 'half-uploads',
  harm: `${BODIES} bodies of 4 MiB are sent to one upload URL at once, and never ended`,
  async run(): Promise<readonly HarmFigure[]> {
    const [quiet, attacked] = [await measured(1), await measured(BODIES)]
    return [
      { what: '/livez, longest', unit: 'ms', quiet: quiet.livezMs.max, attacked: attacked.livezMs.max },
      { what: 'bodies that are read', unit: '', quiet: quiet.taken, attacked: attacked.taken },
      { what: 'disk that they take', unit: 'MiB', quiet: quiet.diskMb, attacked: attacked.diskMb },
      { what: 'memory, most', unit: 'MB', quiet: quiet.memoryMb.peak, attacked: attacked.memoryMb.peak },
    ]
  },
}
