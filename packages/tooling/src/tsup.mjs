// JavaScript, because the configurations of packages import it by name, and Node reads it as it is.
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { defineConfig } from 'tsup'

const severalEntries = ({ entry = {} }) => Object.keys(entry).length > 1

export const library = (options = {}) =>
  defineConfig({
    entry: ['src/index.ts'],
    format: ['esm', 'cjs'],
    dts: true,
    clean: true,
    sourcemap: true,
    target: 'node20',
    // Entries share modules in both formats: otherwise an error of one would be no instance of the other's class.
    splitting: severalEntries(options),
    plugins: [mapsStayHome()],
    ...options,
  })

/**
 * Where tsup makes CommonJS of a module that is split, its map names the made file by its place on this machine, without its text. The
 * file lies beside its map, wherever the package is installed: so it is named.
 */
function mapsStayHome() {
  return {
    name: 'maps-stay-home',
    buildEnd({ writtenFiles }) {
      for (const { name } of writtenFiles.filter((file) => file.name.endsWith('.map'))) {
        const map = JSON.parse(readFileSync(name, 'utf8'))
        const isThere = (at) => typeof map.sourcesContent?.[at] === 'string'
        const sources = map.sources.map((source, at) => (isThere(at) ? source : basename(source)))
        writeFileSync(name, JSON.stringify({ ...map, file: basename(name, '.map'), sources }))
      }
    },
  }
}
