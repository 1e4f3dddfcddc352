import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Gzipped } from '@matchyard/http'

/**
 * Possible locations of the script. It is beside the command in a built package, and in `dist` when the sources are
 * run.
 */
const PLACES = ['./reference/standalone.js.gz', '../../dist/reference/standalone.js.gz'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)

/**
 * Returns the script of the page `GET /reference`. The service sends the script itself, so that the page works without
 * an internet connection.
 */
export async function referenceScript(): Promise<Gzipped> {
  const path = PLACES.find(existsSync)
  if (path === undefined) throw new Error('the script of the reference page is missing: build the command first')
  return { gzip: await readFile(path) }
}
