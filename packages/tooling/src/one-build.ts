import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Matchyard } from '@matchyard/core'
import type { BuildStore } from '@matchyard/core/ports'
import { eventually } from './eventually'

/** Name of the program in the build of `oneBuildStore`. */
const EXECUTABLE = 'server'

/** Returns a build store whose every archive unpacks to one executable script. It keeps no logs. */
export const oneBuildStore = (script: string): BuildStore => ({
  name: 'one',
  direct: null,
  logs: null,
  receive: async (_, body) => {
    let bytes = 0
    const hash = createHash('sha256')
    for await (const chunk of body) {
      bytes += chunk.length
      hash.update(chunk)
    }
    return { bytes, sha256: hash.digest('hex') }
  },
  has: async () => true,
  inspect: async () => ({ ok: true, unpackedBytes: 1, entries: 1 }),
  unpack: async (_, { directory }) => {
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, 'package.json'), '{"type":"module"}')
    await writeFile(join(directory, EXECUTABLE), script, { mode: 0o755 })
  },
  locate: async () => undefined,
  read: () => {
    throw new Error('this store gives no archives')
  },
  remove: async () => {},
  sweep: async () => {},
})

/** Uploads an archive as the build `arena` of a service with `oneBuildStore`, and waits until the build is ready. */
export async function uploadOneBuild({ builds }: Matchyard, projectId: string): Promise<void> {
  const { build, uploadPath } = await builds.createUpload({ projectId, name: 'arena', executablePath: EXECUTABLE })
  const query = new URL(uploadPath, 'http://localhost').searchParams
  const [expires, signature] = [query.get('expires') ?? '', query.get('signature') ?? '']
  const body = (async function* () {
    yield new Uint8Array([1])
  })()
  await builds.receiveUpload({ buildId: build.id, expires, signature, body })
  await eventually(
    () => builds.get({ projectId, buildId: build.id }),
    ({ status }) => status === 'ready',
  )
}
