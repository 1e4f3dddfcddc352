import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

it('is as small in one file as its README says, with everything that it needs', async () => {
  const { outputFiles } = await build({
    entryPoints: [at('../../src/game-server/index.ts')],
    ...{ bundle: true, minify: true, format: 'esm', platform: 'node', target: 'node20', write: false },
  })
  const bytes = gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length
  const said = /(\d+(?:\.\d+)?) kB minified and gzipped/.exec(readFileSync(at('../../README.md'), 'utf8'))?.[1]
  expect(bytes).toBeGreaterThan(0)
  expect(bytes / 1_024).toBeLessThanOrEqual(Number(said))
})
