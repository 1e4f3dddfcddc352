import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Puts an archive where the store keeps the archive of `buildId`. */
export const plant = (folder: string, buildId: string, archive: Uint8Array) =>
  writeFile(join(folder, `${buildId}.zip`), archive)
