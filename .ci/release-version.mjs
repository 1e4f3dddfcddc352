// `npm run release:version -- 0.2.0`: sets the version of every package and of the template of a new game, and turns
// the "Unreleased" section of CHANGELOG.md into this version.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publishedPackages } from '../packages/tooling/src/published.mjs'
import { released } from '../packages/tooling/src/publishing/changelog.ts'
import { root, run } from '../packages/tooling/src/workspace.mjs'

const version = process.argv[2] ?? ''
if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) {
  console.error('usage: npm run release:version -- 0.2.0')
  process.exit(2)
}
const packages = publishedPackages()
const names = new Set(packages.map(({ manifest }) => manifest.name))
const changelog = join(root, 'CHANGELOG.md')
writeFileSync(changelog, released(readFileSync(changelog, 'utf8'), version, new Date()))
for (const { folder } of packages) rewrite(join(folder, 'package.json'), (manifest) => ({ ...manifest, version }))
rewrite(join(root, 'packages', 'create-matchyard', 'template', 'package.json'), (manifest) => ({
  ...manifest,
  dependencies: Object.fromEntries(
    Object.entries(manifest.dependencies).map(([name, range]) => [name, names.has(name) ? `^${version}` : range]),
  ),
}))
run('biome', ['format', '--write', 'packages'], { stdio: ['ignore', 'ignore', 'inherit'] })
console.log(`${packages.length} packages are ${version}; look at CHANGELOG.md, commit, and tag v${version}`)

function rewrite(file, change) {
  writeFileSync(file, `${JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8'))), undefined, 2)}\n`)
}
