import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'build-store-'))
  folders.push(folder)
  return folder
}

/** Puts an archive where the store keeps that of `buildId`. */
export const plant = (folder: string, buildId: string, archive: Uint8Array) =>
  writeFile(join(folder, `${buildId}.zip`), archive)
