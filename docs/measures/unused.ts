import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EntryPoint } from './exports'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Folders that hold no source or page of ours; nor do hidden ones, in which other tests put files and take them away. */
const LEFT_OUT = new Set(['node_modules', 'dist', 'adr', 'measures'])

/** Returns the values that no other package, example or page of the documentation names, as `entry name`. The README of a package is such a page. */
export function unusedValues(entries: readonly EntryPoint[]): string[] {
  const homes = homesOfWords()
  return entries.flatMap(({ name: entry, values }) => {
    const own = `packages/${entry.split('/')[1]}`
    const isUsed = (value: string) => [...(homes.get(value) ?? [])].some((home) => home !== own)
    return values.filter((value) => !isUsed(value)).map((value) => `${entry} ${value}`)
  })
}

/** Returns every word of sources and pages with the places that hold it: a package, an example, or the documentation. */
function homesOfWords(): ReadonlyMap<string, ReadonlySet<string>> {
  const homes = new Map<string, Set<string>>()
  for (const path of ['packages', 'examples', 'docs'].flatMap((folder) => filesOf(join(ROOT, folder)))) {
    const [folder, name] = relative(ROOT, path).split('/')
    const home = path.endsWith('README.md') ? path : folder === 'docs' ? folder : `${folder}/${name}`
    for (const word of readFileSync(path, 'utf8').match(/[A-Za-z_$][\w$]*/g) ?? []) {
      const known = homes.get(word)
      if (known === undefined) homes.set(word, new Set([home]))
      else known.add(home)
    }
  }
  return homes
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || LEFT_OUT.has(entry.name)) return []
    if (entry.isDirectory()) return filesOf(join(folder, entry.name))
    return /\.(tsx?|mts|mjs|md)$/.test(entry.name) ? [join(folder, entry.name)] : []
  })
