import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

/** Maximum bytes of the whole client in a page, minified and compressed. */
const AT_MOST = 9_216

it('is small: a page loads no more than nine kilobytes, whatever it uses of it', async () => {
  const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  })
  const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).byteLength
  console.log(`${bytes} bytes`)
  expect(bytes).toBeLessThanOrEqual(AT_MOST)
})
