import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { createAdmin } from '@matchyard/client/admin'
import { build } from 'esbuild'
import { ZipFile } from 'yazl'
import type { Matchyard } from './service'

const QUEUE = 'duel'
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
/** `ws` is CommonJS and calls `require` for Node's own modules. */
const BEGIN =
  "#!/usr/bin/env node\nimport{createRequire}from'node:module';const require=createRequire(import.meta.url);"

/** Creates the queue and its build in Matchyard. Returns the queue's id. */
export async function prepare({ baseUrl, serverKey }: Matchyard): Promise<string> {
  const admin = createAdmin({ baseUrl, serverKey })
  const zip = await packServer()
  // The name holds a digest of the archive, so that equal sources are uploaded once.
  const name = `duel-${createHash('sha256').update(zip).digest('hex').slice(0, 10)}`
  const known = await admin.builds.list({ name, status: 'ready' }).next()
  if (known.done) await admin.builds.upload({ name, executablePath: 'server.mjs', zip })
  await admin.queues.ensure({
    queue_id: QUEUE,
    name: 'A duel',
    server_settings: {
      version_tag: name,
      network_ports: [{ name: 'game', protocol: 'tcp', internal_port: 7777 }],
      readiness: 'self',
      ttl: 600,
    },
    matchmaking: { teams: 2, players_per_team: 1 },
  })
  return QUEUE
}

/** Returns the ZIP of the game server, bundled into one file. */
async function packServer(): Promise<Buffer> {
  const { outputFiles } = await build({
    entryPoints: [at('../server/main.ts')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: BEGIN },
    external: ['bufferutil', 'utf-8-validate'],
    write: false,
  })
  const zip = new ZipFile()
  const content = Buffer.from(outputFiles[0]?.contents ?? [])
  // The time is fixed, so that equal sources give equal bytes.
  zip.addBuffer(content, 'server.mjs', { mode: 0o100755, mtime: new Date('2026-01-01T00:00:00Z') })
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Returns the page's program, bundled into one file. */
export async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [at('../page/main.ts')],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}
