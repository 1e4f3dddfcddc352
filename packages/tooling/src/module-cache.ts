import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const CACHE = join(ROOT, 'node_modules', '.cache', 'vitest')
const IGNORED = /(?:^|\/)(?:node_modules|dist)\//

/**
 * Returns the folder of the modules that tests have transformed, and removes the folders of other workspaces' states;
 * undefined when this user may not write there. A cached module holds the paths of its imports, so the folder's name
 * depends on everything that decides these paths: the names of all source files, and every package.json.
 */
export function moduleCache(): string | undefined {
  try {
    mkdirSync(CACHE, { recursive: true })
    accessSync(CACHE, constants.W_OK)
  } catch {
    return undefined
  }
  const name = stateOf(['packages', 'examples'])
  for (const other of readdirSync(CACHE))
    if (other !== name) rmSync(join(CACHE, other), { recursive: true, force: true })
  return join(CACHE, name)
}

/** Returns the hash of the names of source files, and of the manifests, below these folders. */
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
    return names.filter((name) => /\.[cm]?[jt]sx?$/.test(name) && !IGNORED.test(name)).sort()
  } catch {
    return [] // A package without this folder.
  }
}
