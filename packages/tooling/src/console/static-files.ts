import { readFile } from 'node:fs/promises'
import { extname, join, normalize } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The content security policy that the service sends with the console. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export interface StaticFile {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/**
 * Returns the response for a file of a folder. An empty path stands for the file `index`. For a missing file, the
 * status is 404.
 */
export async function staticFile(folder: string, path: string, index: string): Promise<StaticFile> {
  const name = path === '' || path === '/' ? index : normalize(path).replace(/^[/.]+/, '')
  try {
    const body = await readFile(join(folder, name))
    const type = TYPES[extname(name)] ?? 'application/octet-stream'
    return { status: 200, headers: { 'content-type': type, 'content-security-policy': POLICY }, body }
  } catch {
    return { status: 404, headers: {}, body: Buffer.from('') }
  }
}
