import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** It lies beside the built command's folder; from sources the way there is one step longer. */
const PLACES = ['../reference/reference.js', '../../reference/reference.js'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)

/** The script that draws `GET /reference`, served by ourselves so that the page works without the internet. */
export async function referenceScript(): Promise<string> {
  const path = PLACES.find(existsSync)
  if (path === undefined) throw new Error('the script of the reference page is missing from this package')
  return readFile(path, 'utf8')
}
