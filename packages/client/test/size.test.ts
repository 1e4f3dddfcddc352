import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

/** Maximum bytes of the client that a page loads before it measures regions, minified and compressed. */
const AT_MOST = 9_728

it('is small: a page loads no more than nine and a half kilobytes, until it measures regions', async () => {
  const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url))
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    splitting: true,
    metafile: true,
    outdir: 'out',
    format: 'esm',
    target: 'es2022',
    write: false,
  })
  const loaded = (path: string): string[] => {
    const statics = metafile.outputs[path]?.imports.filter(({ kind }) => kind === 'import-statement') ?? []
    return [path, ...statics.flatMap((one) => loaded(one.path))]
  }
  const first = Object.keys(metafile.outputs).find((path) => metafile.outputs[path]?.entryPoint?.endsWith('/index.ts'))
  const textOf = (path: string) => outputFiles.find((file) => file.path.endsWith(path))?.text ?? ''
  const texts = [...new Set(loaded(first ?? ''))].map(textOf)
  const bytes = texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).byteLength, 0)
  console.log(`${bytes} bytes`)
  expect(texts.every((text) => text.length > 0)).toBe(true)
  expect(bytes).toBeLessThanOrEqual(AT_MOST)
  expect(outputFiles.map(({ text }) => text).join('')).not.toMatch(/from ?["']node:|import\(["']node:/)
})
