// This file is JavaScript, because the configurations of packages import it by package name, and Node.js must load it
// without compiling.
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
    // The entry points share modules in ESM and in CommonJS. Otherwise an error from one entry point would not be an
    // instance of the class that another entry point exports.
    splitting: severalEntries(options),
    plugins: [mapsStayHome()],
    ...options,
  })

/**
 * Corrects the source maps of split CommonJS files. In these maps, tsup names the built file by its full path on this
 * machine, without its text. The built file is always next to its map, so this function keeps only the file's name.
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
