import type { Manifest } from '../published.mjs'

/** Returns the names of the packages that an installation of a package needs; optional peer dependencies count too. */
const needs = ({ dependencies = {}, peerDependencies = {} }: Manifest) =>
  Object.keys({ ...dependencies, ...peerDependencies })

/**
 * Returns the packages in the order of publishing, each package after its dependencies. So an installation during a
 * release finds all packages that it needs.
 */
export function inOrderOfPublishing(manifests: readonly Manifest[]): readonly Manifest[] {
  const byName = new Map(manifests.map((manifest) => [manifest.name, manifest]))
  const ordered = new Set<Manifest>()
  const visit = (manifest: Manifest, above: readonly string[]): void => {
    if (ordered.has(manifest)) return
    if (above.includes(manifest.name)) throw new Error(`a circle: ${[...above, manifest.name].join(' → ')}`)
    for (const need of needs(manifest)) {
      const needed = byName.get(need)
      if (needed !== undefined) visit(needed, [...above, manifest.name])
    }
    ordered.add(manifest)
  }
  for (const manifest of manifests) visit(manifest, [])
  return [...ordered]
}
