// Unity knows each file of a package by a GUID in a .meta file beside it, and passes over files without one where it cannot write them.
// `npm run generate` writes those that are missing. A GUID is made from the path once and then stays: scenes refer to scripts by it.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './workspace.mjs'

const PACKAGE = join(root, 'packages', 'engines', 'unity')

/** Names that Unity does not import: those that end in ~ or begin with a dot. */
const isHidden = (name) => name.endsWith('~') || name.startsWith('.') || name === 'node_modules'

/** Every file and folder of the package that must have a .meta, and every .meta that there is, by path from the package. */
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

/** The GUID in a .meta file. */
export const guidOf = (meta) => /^guid: ([0-9a-f]{32})$/m.exec(readFileSync(join(PACKAGE, meta), 'utf8'))?.[1]

/** Each .meta that is missing, as its path from the root and its text. */
export function missingMetas() {
  return unityAssets()
    .assets.filter((asset) => !existsSync(join(PACKAGE, `${asset}.meta`)))
    .map((asset) => {
      const guid = createHash('md5').update(`com.matchyard.unity/${asset}`).digest('hex')
      const folder = statSync(join(PACKAGE, asset)).isDirectory() ? 'folderAsset: yes\n' : ''
      return [relative(root, join(PACKAGE, `${asset}.meta`)), `fileFormatVersion: 2\nguid: ${guid}\n${folder}`]
    })
}
