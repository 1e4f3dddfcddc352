// `npm run check:packages`: checks the required files of each published package, the contents of its archive, and the
// findings of publint and attw.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { packAll, publishedPackages } from '../packages/tooling/src/published.mjs'
import { archiveFaults, packedManifestFaults } from '../packages/tooling/src/publishing/archive-faults.ts'
import { manifestFaults } from '../packages/tooling/src/publishing/manifest-faults.ts'
import { readArchive } from '../packages/tooling/src/publishing/read-archive.ts'
import { environment, root as rootFolder } from '../packages/tooling/src/workspace.mjs'

const AT_ONCE = 2
const root = rootFolder.replace(/\/$/, '')
const LICENSE = readFileSync(join(root, 'LICENSE'), 'utf8')

/** Returns each problem of these archives, as a sentence that begins with the name of its package. */
export async function problemsOf(packed) {
  const packages = publishedPackages()
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const workspace = { root, node: engines.node, version: packages[0].manifest.version }
  const versions = new Map(packages.map(({ manifest }) => [manifest.name, manifest.version]))
  const problems = []
  const waiting = [...packages]
  const work = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const { name } = one.manifest
      const path = packed.get(name)
      const archive = readArchive(path)
      const manifest = JSON.parse(archive.files.get('package.json').toString())
      const found = [
        ...manifestFaults(one, workspace),
        ...faultsOfFolder(one),
        ...archiveFaults(archive, name, root),
        ...packedManifestFaults(manifest, versions),
        ...templateFaults(archive, versions),
        ...(await lint(path)),
        ...(await typeFaults(path, one)),
      ]
      problems.push(...found.map((fault) => `${name}: ${fault}`))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return problems.sort()
}

function* faultsOfFolder({ folder }) {
  const own = join(folder, 'LICENSE')
  if (!existsSync(own) || readFileSync(own, 'utf8') !== LICENSE) yield 'its LICENSE is not the one at the root'
}

/** The template of a new game must name the versions that are published with it. */
function* templateFaults({ files }, versions) {
  const template = files.get('template/package.json')
  if (template === undefined) return
  for (const [need, range] of Object.entries(JSON.parse(template.toString()).dependencies)) {
    const version = versions.get(need)
    if (version !== undefined && range !== `^${version}`) yield `its template wants ${need} ${range}, not ^${version}`
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

/**
 * Node and bundlers find entries by `exports`. The mode `node10` knows no `exports`, and the packages run on no Node
 * that is so old.
 */
async function typeFaults(archive, { manifest }) {
  // A package without `exports` is a command, and no program imports it.
  if (manifest.exports === undefined) return []
  const args = [archive, '--profile', 'node16', '--format', 'json', '--quiet']
  const { text, stdout, status } = await looked(args)
  if (status === 0) return []
  try {
    return Object.entries(JSON.parse(stdout).problems).map(([kind, list]) => `attw: ${kind} ${JSON.stringify(list)}`)
  } catch {
    return [`attw: ${text}`]
  }
}

function looked(args) {
  return new Promise((resolve, reject) => {
    const child = spawn('attw', args, { cwd: root, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] })
    const said = { stdout: '', text: '' }
    child.stdout.on('data', (chunk) => {
      said.stdout += chunk
      said.text += chunk
    })
    child.stderr.on('data', (chunk) => {
      said.text += chunk
    })
    child.once('error', reject)
    child.once('close', (status) => resolve({ ...said, status }))
  })
}

if (process.argv[1]?.endsWith('check-packages.mjs')) {
  const archives = mkdtempSync(join(tmpdir(), 'matchyard-packages-'))
  process.once('exit', () => rmSync(archives, { recursive: true, force: true }))
  const packed = packAll(archives)
  const problems = await problemsOf(packed)
  for (const problem of problems) console.error(problem)
  console.log(problems.length === 0 ? `${packed.size} packages can be published` : `${problems.length} problems`)
  process.exit(problems.length === 0 ? 0 : 1)
}
