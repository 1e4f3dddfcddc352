// Unity identifies each file of a package by a GUID in a .meta file next to it. In a read-only package, Unity ignores
// files without a .meta file. `npm run generate` writes missing .meta files. A GUID is derived from the path once and
// then kept, because scenes refer to scripts by GUID.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './workspace.mjs'

const PACKAGE = join(root, 'packages', 'engines', 'unity')

/** Whether Unity ignores this name: names that end in ~ or begin with a dot, and node_modules. */
const isHidden = (name) => name.endsWith('~') || name.startsWith('.') || name === 'node_modules'

/**
 * Returns the files and folders of the package that must have a .meta file, and the existing .meta files, as paths
 * relative to the package.
 */
export function unityAssets(folder = PACKAGE) {
  const assets = []
  const metas = []
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (isHidden(entry.name)) continue
    const path = join(folder, entry.name)
    if (entry.name.endsWith('.meta')) metas.push(relative(PACKAGE, path))
    else assets.push(relative(PACKAGE, path))
    if (!entry.isDirectory()) continue
    const below = unityAssets(path)
    assets.push(...below.assets)
    metas.push(...below.metas)
  }
  return { assets: assets.sort(), metas: metas.sort() }
}

/** Returns the GUID in a .meta file; undefined when the file contains no GUID. */
export const guidOf = (meta) => /^guid: ([0-9a-f]{32})$/m.exec(readFileSync(join(PACKAGE, meta), 'utf8'))?.[1]

/** Returns the path from the root and the text of each .meta file that is missing. */
export function missingMetas() {
  return unityAssets()
    .assets.filter((asset) => !existsSync(join(PACKAGE, `${asset}.meta`)))
    .map((asset) => {
      const guid = createHash('md5').update(`com.matchyard.unity/${asset}`).digest('hex')
      const folder = statSync(join(PACKAGE, asset)).isDirectory() ? 'folderAsset: yes\n' : ''
      return [relative(root, join(PACKAGE, `${asset}.meta`)), `fileFormatVersion: 2\nguid: ${guid}\n${folder}`]
    })
}
