import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

/**
 * Most bytes of the engine that a page may load, gzipped, by the names that it imports. About 5 KiB of them belong to open seats, and 3 KiB to rules that keep players apart. A pool
 * cannot leave these out, because requests may be added at any time.
 */
const MOST: Readonly<Record<string, number>> = {
  'createPool, explain': 37.75 * 1024,
  'createPool, explain, validateConfig': 39 * 1024,
}

const page = async (exports: string) =>
  build({
    stdin: {
      contents: `import { ${exports} } from '../src/index'\nconsole.log(${exports})`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    // With this platform, an import of a Node module fails the build.
    platform: 'browser',
    write: false,
    metafile: true,
  })

test.each(Object.entries(MOST))(
  'a page that imports %s loads %i bytes at most, of the engine alone',
  async (exports, most) => {
    const { outputFiles, metafile } = await page(exports)
    expect(gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length).toBeLessThanOrEqual(most)
    expect(Object.keys(metafile.inputs).filter((file) => !/^(<stdin>|.*\/?src\/)/.test(file))).toEqual([])
  },
)
