import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EntryPoint } from './exports'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/**
 * Folders without sources or pages of ours. Hidden folders are left out too, because other tests create and delete
 * files in them. `reference` is generated and ignored by git; it names every export.
 */
const LEFT_OUT = new Set(['node_modules', 'dist', 'adr', 'measures', 'reference'])

/**
 * Returns the values that no other package, example or page of the documentation names, as `entry name`. The README of
 * a package counts as such a page.
 */
export function unusedValues(entries: readonly EntryPoint[]): string[] {
  const homes = homesOfWords()
  return entries.flatMap(({ name: entry, values }) => {
    const own = `packages/${entry.split('/')[1]}`
    const isUsed = (value: string) => [...(homes.get(value) ?? [])].some((home) => home !== own)
    return values.filter((value) => !isUsed(value)).map((value) => `${entry} ${value}`)
  })
}

/**
 * Returns for each word of sources and pages the places that contain it: a package, an example, a README, or the
 * documentation.
 */
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
