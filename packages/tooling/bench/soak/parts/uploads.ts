import { request } from 'node:http'
import { packGameServer } from '@matchyard/example-game-server'
import type { Load } from '../load'

const LEGAL_EVERY_MS = 20_000
const BROKEN_EVERY_MS = 8_000

interface Upload {
  readonly build_id: string
  readonly upload_url: string
}

/** Uploads valid builds and deletes them again. */
export const uploadBuilds = (load: Load): Promise<void> =>
  load.repeat(LEGAL_EVERY_MS, async () => {
    const build = await uploadBuild(load, 'soak-upload')
    await load.backend({ method: 'DELETE', path: `/v1/builds/${build}` })
    load.count('builds')
  })

/** Uploads a build, waits until its check has ended, and returns its id. */
export async function uploadBuild(load: Load, name: string): Promise<string> {
  const upload = await begin(load, name)
  await fetch(upload.upload_url, { method: 'PUT', body: new Uint8Array(await packGameServer()) })
  const path = `/v1/builds/${upload.build_id}`
  await load.until('a build', async () => {
    const { body } = await load.backend<{ status: string }>({ method: 'GET', path })
    return body.status === 'ready' || body.status === 'failed'
  })
  return upload.build_id
}

/** Uploads invalid archives and bodies that break off. */
export const uploadRubbish = (load: Load): Promise<void> =>
  load.repeat(BROKEN_EVERY_MS, async (turn) => {
    const upload = await begin(load, 'soak-rubbish')
    if (turn % 2 === 0) await fetch(upload.upload_url, { method: 'PUT', body: 'x'.repeat(200_000) })
    else await breakOff(upload.upload_url)
    await load.pause(1_000)
    await load.backend({ method: 'DELETE', path: `/v1/builds/${upload.build_id}` })
    load.count('rubbish')
  })

async function begin(load: Load, name: string): Promise<Upload> {
  const body = { name, executable_path: 'server.mjs' }
  return (await load.backend<Upload>({ method: 'POST', path: '/v1/builds/upload-url', body })).body
}

/** Announces a body of 1 MB and closes the connection after a part of it. */
function breakOff(url: string): Promise<void> {
  return new Promise((resolve) => {
    const sent = request(url, { method: 'PUT', agent: false, headers: { 'content-length': '1000000' } })
    sent.on('error', () => resolve())
    sent.on('close', () => resolve())
    sent.write('x'.repeat(50_000), () => sent.destroy())
  })
}
