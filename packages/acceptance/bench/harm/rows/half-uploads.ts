import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { HarmFigure, HarmRow } from '../row'
import { type Figures, HarmWorld } from '../world'

const BODIES = 100
const BODY_BYTES = 4 * 1024 ** 2
const SENDER = new URL('../half-upload-sender.mjs', import.meta.url)
const MIB = 1024 ** 2

interface Side extends Figures {
  readonly diskMb: number
  readonly taken: number
}

async function measured(bodies: number): Promise<Side> {
  const world = await HarmWorld.start()
  try {
    const { body } = await world.client(world.credentials.server_key).call<{ upload_url: string }>({
      method: 'POST',
      path: '/v1/builds/upload-url',
      body: { name: 'half', executable_path: 'server' },
    })
    const folder = join(world.directory, 'builds')
    let diskMb = 0
    let taken = 0
    const figures = await world.watch(async () => {
      const sender = new Worker(SENDER, { workerData: { url: body.upload_url, bodies, bodyBytes: BODY_BYTES } })
      const [told] = (await once(sender, 'message')) as [{ taken: number }]
      taken = told.taken
      await new Promise((resolve) => setTimeout(resolve, 500)) // what is on its way is written
      diskMb = readdirSync(folder, { recursive: true })
        .filter((name) => String(name).endsWith('.part'))
        .reduce((sum, name) => sum + statSync(join(folder, String(name))).size / MIB, 0)
      sender.postMessage('end')
      await once(sender, 'exit')
    })
    return { ...figures, diskMb, taken }
  } finally {
    await world.stop()
  }
}

/** One signed URL, and as many bodies as somebody cares to send to it at once. */
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
