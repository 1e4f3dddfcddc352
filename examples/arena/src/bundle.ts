import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packGameServer } from '@matchyard/example-game-server'
import { build } from 'esbuild'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
/** The bundle uses the sources of the workspace, so it needs no build. */
const conditions = ['@matchyard/source']

/** Returns the page's program in one file. */
export async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [at('../page/main.ts')],
    ...{ bundle: true, format: 'esm', platform: 'browser', target: 'es2022', minify: true, write: false, conditions },
  })
  return outputFiles[0]?.text ?? ''
}

/** Returns the ZIP of the game server, in one file, for the upload as a build. */
export async function bundleServer(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'matchyard-arena-'))
  try {
    await build({
      entryPoints: [at('../server/main.ts')],
      outfile: join(folder, 'server.mjs'),
      // `ws` is CommonJS and calls `require` for Node's own modules.
      banner: {
        js: "#!/usr/bin/env node\nimport{createRequire}from'node:module';const require=createRequire(import.meta.url);",
      },
      external: ['bufferutil', 'utf-8-validate'],
      ...{ bundle: true, format: 'esm', platform: 'node', target: 'node20', conditions },
    })
    return await packGameServer(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
