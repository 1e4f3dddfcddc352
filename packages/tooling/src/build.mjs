// Builds all packages, each after the packages on which it depends. `--fast` skips the type declarations, as `npm
// start` does.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newestDocument } from './newest-document.mjs'
import { packDemo } from './pack-demo.mjs'
import { environment, install, root } from './workspace.mjs'

const AT_ONCE = 2

const folders = ['packages'].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => join(root, parent, name)),
)

function packages() {
  return folders.flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    if (manifest.scripts?.build === undefined) return []
    const { dependencies, devDependencies, peerDependencies, peerDependenciesMeta = {} } = manifest
    const needs = Object.keys({ ...dependencies, ...peerDependencies })
    // Optional peer dependencies are left out: a package needs them only for its `./testing` entry, not to run.
    const runsWith = needs.filter((need) => peerDependenciesMeta[need]?.optional !== true)
    // A package with a web page bundles the sources of the packages that it uses, so its build also depends on these
    // sources.
    const hasPage = existsSync(join(folder, 'vite.config.ts'))
    const inside = hasPage ? Object.keys(devDependencies ?? {}) : []
    return [{ folder, name: manifest.name, needs, runsWith, hasPage, inside }]
  })
}

/** Files and folders of a package from which its build is made. */
const BUILT_FROM = ['src', 'package.json', 'tsconfig.json', 'tsup.config.ts', 'vite.config.ts']

/** Returns the time of the newest change of a path and of all files below it, in epoch milliseconds. */
function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

const stampOf = (folder, fast) => join(folder, 'dist', fast ? '.built-fast' : '.built')

function isFresh({ folder, inside, hasPage }, fast, all) {
  const folders = [folder, ...all.filter(({ name }) => inside.includes(name)).map((one) => one.folder)]
  const parts = folders.flatMap((one) => BUILT_FROM.map((part) => join(one, part))).filter((path) => existsSync(path))
  const sources = Math.max(...parts.map(newest), hasPage ? newestDocument(root) : 0)
  // A full build also counts as a fast build.
  return [stampOf(folder, false), ...(fast ? [stampOf(folder, true)] : [])].some((stamp) => {
    try {
      return statSync(stamp).mtimeMs > sources
    } catch {
      return false
    }
  })
}

function run(program, args, folder) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, env: environment(), stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the build of ${folder} failed`))))
  })
}

async function rebuild({ name, folder, hasPage }, fast) {
  process.stdout.write(`  building ${name}\n`)
  await run('tsup', fast ? ['--no-dts', '--silent'] : ['--silent'], folder)
  if (hasPage) await run(join(folder, 'node_modules', '.bin', 'vite'), ['build'], folder)
  writeFileSync(stampOf(folder, fast), '')
}

/** Returns a package, and all packages of the workspace that it needs to run. */
function closure(all, name) {
  const wanted = new Set()
  const take = (one) => {
    const found = all.find((candidate) => candidate.name === one)
    if (found === undefined || wanted.has(one)) return
    wanted.add(one)
    for (const need of found.runsWith) take(need)
  }
  take(name)
  return all.filter((candidate) => wanted.has(candidate.name))
}

export async function build({ fast, only }) {
  const known = packages()
  const all = only === undefined ? known : closure(known, only)
  const names = new Set(all.map(({ name }) => name))
  const done = new Set()
  const running = new Map()
  const ready = () =>
    all.filter(
      ({ name, needs }) =>
        !done.has(name) && !running.has(name) && (fast || needs.every((need) => !names.has(need) || done.has(need))),
    )
  while (done.size < all.length) {
    for (const one of ready()) {
      if (running.size >= AT_ONCE) break
      const { name } = one
      const work = isFresh(one, fast, known) ? Promise.resolve() : rebuild(one, fast)
      running.set(
        name,
        work.then(() => name),
      )
    }
    if (running.size === 0) throw new Error('the packages depend on each other in a circle')
    const name = await Promise.race(running.values())
    running.delete(name)
    done.add(name)
  }
  await packDemo()
}

if (process.argv[1]?.endsWith('build.mjs')) {
  install()
  await build({ fast: process.argv.includes('--fast') })
}
