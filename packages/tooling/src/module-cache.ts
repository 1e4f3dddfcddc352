import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const CACHE = join(ROOT, 'node_modules', '.cache', 'vitest')
/**
 * Number of folders of other states of the workspace that are kept, because another test run may still use the newest
 * of these folders.
 */
const OTHERS_KEPT = 2

/**
 * Returns the folder for the modules that test runs have transformed, and removes the folders of older states of the
 * workspace. Returns undefined when this user may not write there. A cached module contains the paths of its imports.
 * So the folder's name depends on everything that decides these paths: the names of all source files, and every
 * package.json.
 */
export function moduleCache(): string | undefined {
  try {
    mkdirSync(CACHE, { recursive: true })
    accessSync(CACHE, constants.W_OK)
  } catch {
    return undefined
  }
  const name = stateOf(['packages', 'examples'])
  const others = readdirSync(CACHE)
    .filter((other) => other !== name)
    .map((other) => join(CACHE, other))
    .sort((a, b) => changedAt(b) - changedAt(a))
  for (const old of others.slice(OTHERS_KEPT)) rmSync(old, { recursive: true, force: true })
  return join(CACHE, name)
}

/** Returns the time of a folder's last change, in milliseconds; 0 when another run has removed it. */
const changedAt = (folder: string): number => statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Returns a hash of the names of all source files, and of all package.json files, below these folders. */
function stateOf(folders: readonly string[]): string {
  const hash = createHash('sha256')
  for (const folder of folders) {
    for (const one of readdirSync(join(ROOT, folder)).sort()) {
      const manifest = join(ROOT, folder, one, 'package.json')
      if (existsSync(manifest)) hash.update(readFileSync(manifest))
      for (const part of ['src', 'test'])
        for (const name of namesBelow(join(ROOT, folder, one, part))) hash.update(`${one}/${part}/${name}\n`)
    }
  }
  return hash.digest('hex').slice(0, 16)
}

function namesBelow(folder: string): string[] {
  try {
    const names = readdirSync(folder, { recursive: true }).map(String)
    return names.filter((name) => /\.[cm]?[jt]sx?$/.test(name)).sort()
  } catch {
    return [] // a package without this folder
  }
}
