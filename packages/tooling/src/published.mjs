// The packages of the workspace that are published, and the archives that a registry would receive.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageManager, root, run } from './workspace.mjs'

/** Returns the packages that are published to a registry, with their manifests: all packages that are not private. */
export function publishedPackages() {
  return readdirSync(join(root, 'packages')).flatMap((name) => {
    const folder = join(root, 'packages', name)
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return manifest.private === true ? [] : [{ folder, manifest }]
  })
}

/**
 * Packs all published packages into an existing folder. Returns the path of each archive by the package's name. The
 * packages must have been built.
 */
export function packAll(folder) {
  const packages = publishedPackages()
  const filters = packages.flatMap(({ manifest }) => ['--filter', manifest.name])
  const pack = ['--recursive', 'pack', '--pack-destination', folder]
  run('npx', ['--yes', packageManager, ...filters, ...pack], { stdio: ['ignore', 'ignore', 'inherit'] })
  const files = readdirSync(folder)
  return new Map(
    packages.map(({ manifest: { name, version } }) => {
      const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
      if (!files.includes(file)) throw new Error(`${name} was not packed`)
      return [name, join(folder, file)]
    }),
  )
}
