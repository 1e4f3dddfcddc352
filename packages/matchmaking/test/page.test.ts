import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

/** Bytes that a page may spend on the engine, gzipped. */
const MOST = 26_000

const page = async (exports: string) =>
  build({
    stdin: {
      contents: `import { ${exports} } from '../src/index'\nconsole.log(${exports})`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    // Here an import of Node fails the build.
    platform: 'browser',
    write: false,
    metafile: true,
  })

test('a page that pools, explains and validates loads 26 kB at most, of the engine alone', async () => {
  const { outputFiles, metafile } = await page('createPool, explain, validateConfig')
  expect(gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length).toBeLessThanOrEqual(MOST)
  expect(Object.keys(metafile.inputs).filter((file) => !/^(<stdin>|.*\/?src\/)/.test(file))).toEqual([])
})
