import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../workspace.mjs'

/** Folder with the packages that a new game uses; the workspace installs them for the tests of the template. */
const PACKAGES = join(root, 'packages', 'create-matchyard', 'node_modules')

/** Links the packages that a new game names, and their commands, from this clone. Replaces `npm install`. */
export function linkPackages(folder) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const name of ['.bin', ...Object.keys({ ...dependencies, ...devDependencies })]) {
    const to = join(folder, 'node_modules', name)
    mkdirSync(dirname(to), { recursive: true })
    symlinkSync(join(PACKAGES, name), to)
  }
}
