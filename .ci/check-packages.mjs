// `npm run check:packages`: what every published package must have, and what publint and attw say of its archive.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { packAll, publishedPackages } from '../packages/tooling/src/published.mjs'
import { environment, root } from '../packages/tooling/src/workspace.mjs'

const REPOSITORY = 'https://github.com/matchyard/matchyard'
const LICENSE = readFileSync(join(root, 'LICENSE'), 'utf8')
/** The domain itself, what runs it, and what talks to it over the wire alone. */
const WITHOUT_A_PEER = [
  '@matchyard/core',
  '@matchyard/matchmaking',
  '@matchyard/server',
  '@matchyard/game-server',
  '@matchyard/client',
  '@matchyard/console',
  'create-matchyard',
]

const archives = mkdtempSync(join(tmpdir(), 'matchyard-packages-'))
process.once('exit', () => rmSync(archives, { recursive: true, force: true }))
const packed = packAll(archives)

const problems = []
for (const one of publishedPackages()) {
  const { name } = one.manifest
  const found = [...faultsOf(one), ...(await lint(packed.get(name))), ...typeFaults(packed.get(name), one)]
  problems.push(...found.map((fault) => `${name}: ${fault}`))
}
for (const problem of problems) console.error(problem)
console.log(problems.length === 0 ? `${packed.size} packages can be published` : `${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)

/** What no tool looks for. */
function* faultsOf({ folder, manifest }) {
  const own = join(folder, 'LICENSE')
  if (!existsSync(own) || readFileSync(own, 'utf8') !== LICENSE) yield 'its LICENSE is not the one at the root'
  if (!existsSync(join(folder, 'README.md'))) yield 'it has no README.md'
  const { repository, license, engines, files, dependencies = {}, peerDependencies = {} } = manifest
  if (license !== 'MIT') yield 'its licence is not said'
  const directory = folder.slice(root.length).replace(/^\//, '')
  if (repository?.url !== REPOSITORY || repository.directory !== directory) yield 'its repository is not said'
  if (manifest.homepage !== `${REPOSITORY}/tree/main/${directory}#readme`) yield 'its homepage is not said'
  if (manifest.bugs !== `${REPOSITORY}/issues`) yield 'where its faults are told is not said'
  if (engines?.node === undefined) yield 'it does not say which Node it needs'
  if (files === undefined) yield 'it does not say which files it has'
  const isAdapter = !WITHOUT_A_PEER.includes(manifest.name)
  if (isAdapter && ('@matchyard/core' in dependencies || !('@matchyard/core' in peerDependencies))) {
    yield 'core is not its peer: an application could have two'
  }
  for (const [entry, conditions] of Object.entries(manifest.publishConfig?.exports ?? {})) {
    for (const kind of ['import', 'require']) {
      if (conditions[kind]?.types === undefined) yield `${entry} has no types for ${kind}`
    }
    if (!(entry in manifest.exports)) yield `${entry} is published and is not an entry of the workspace`
  }
}

async function lint(archive) {
  const tarball = readFileSync(archive)
  const buffer = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength)
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true })
  return messages
    .filter(({ type }) => type !== 'suggestion')
    .map((message) => `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`)
}

/** Entries are found by Node and bundlers; `node10`, which knows no `exports`, is older than any Node that the packages run on. */
function typeFaults(archive, { manifest }) {
  // A command alone is imported by nobody.
  if (manifest.exports === undefined) return []
  const args = [archive, '--profile', 'node16', '--format', 'json', '--quiet']
  const { stdout, stderr, status, error } = spawnSync('attw', args, { cwd: root, env: environment(), encoding: 'utf8' })
  if (error !== undefined) throw error
  if (status === 0) return []
  try {
    const { problems } = JSON.parse(stdout)
    return Object.entries(problems).map(([kind, list]) => `attw: ${kind} ${JSON.stringify(list)}`)
  } catch {
    return [`attw: ${stdout}${stderr}`]
  }
}
