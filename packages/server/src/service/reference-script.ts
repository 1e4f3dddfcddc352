import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Gzipped } from '@matchyard/http'

/** The build puts it beside the command; from sources it is looked for there. */
const PLACES = ['./reference/standalone.js.gz', '../../dist/reference/standalone.js.gz'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)

/** The script that draws `GET /reference`, served by ourselves so that the page works without the internet. */
export async function referenceScript(): Promise<Gzipped> {
  const path = PLACES.find(existsSync)
  if (path === undefined) throw new Error('the script of the reference page is missing: build the command first')
  return { gzip: await readFile(path) }
}
