// `npm run release -- --dry-run`: packs every package, checks the archives, publishes them in the order of their
// dependencies to a registry of this process, and tries them there as a newcomer. Without `--dry-run` the same archives
// are then published for good; only the workflow of the repository can do so (docs/CONTRIBUTING.md, "Releasing"). A
// version that is already published stays as it is.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from '../packages/tooling/src/build.mjs'
import { packAll, publishedPackages } from '../packages/tooling/src/published.mjs'
import { changelogFaults } from '../packages/tooling/src/publishing/changelog.ts'
import { walkAsNewcomer } from '../packages/tooling/src/publishing/newcomer.ts'
import { strangersEnvironment } from '../packages/tooling/src/publishing/npm.ts'
import { inOrderOfPublishing } from '../packages/tooling/src/publishing/order.ts'
import { rehearse } from '../packages/tooling/src/publishing/rehearsal.ts'
import { environment, install, root } from '../packages/tooling/src/workspace.mjs'
import { problemsOf } from './check-packages.mjs'

const USAGE = `usage: npm run release -- --dry-run   packs, checks and rehearses everything, and publishes nothing
       npm run release                publishes for good; only the repository's workflow can`

const { 'dry-run': isDryRun } = asked()
const scratch = mkdtempSync(join(tmpdir(), 'matchyard-release-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))

install()
await build({ fast: false })
const packages = inOrderOfPublishing(publishedPackages().map(({ manifest }) => manifest))
const [{ version }] = packages
const order = packages.map(({ name }) => name)
const archives = join(scratch, 'archives')
mkdirSync(archives)
const packed = packAll(archives)

const problems = [
  ...changelogFaults(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, { isDryRun }),
  ...(await problemsOf(packed)),
]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`${order.length} packages of version ${version} can be published`)

const env = strangersEnvironment(environment())
const registry = await rehearse(packed, order, scratch, env)
console.log(`published to a registry of this process, in this order: ${registry.published.join(', ')}`)
try {
  console.log(await walkAsNewcomer(registry, scratch, root))
} finally {
  registry.stop()
}

if (isDryRun) console.log('a dry run: nothing was published')
else for (const name of order) publish(name)

/** Returns the options of the command line. An unknown word ends the program: it may have been meant to prevent a publication. */
function asked() {
  try {
    const { values } = parseArgs({
      options: {
        'dry-run': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (!values.help) return values
    console.log(USAGE)
    process.exit(0)
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`)
    process.exit(2)
  }
}

/** A release that was interrupted may be repeated, and a registry refuses a version that it already has. */
function publish(name) {
  const options = { cwd: scratch, env, encoding: 'utf8' }
  const known = spawnSync('npm', ['view', `${name}@${version}`, 'version'], options)
  if (known.status === 0 && known.stdout.trim() === version) return console.log(`${name} ${version} is there already`)
  const { status } = spawnSync('npm', ['publish', packed.get(name)], { ...options, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
