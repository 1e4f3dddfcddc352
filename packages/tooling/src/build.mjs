// Builds every package in the order of its dependencies. `--fast` leaves the declarations out: what `npm start` needs.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
    const { dependencies, peerDependencies, peerDependenciesMeta = {} } = manifest
    const needs = Object.keys({ ...dependencies, ...peerDependencies })
    // What only its `./testing` entry wants is not wanted to run it.
    const runsWith = needs.filter((need) => peerDependenciesMeta[need]?.optional !== true)
    return [{ folder, name: manifest.name, needs, runsWith }]
  })
}

/** The newest change below a package's sources. */
function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

const stampOf = (folder, fast) => join(folder, 'dist', fast ? '.built-fast' : '.built')

function isFresh(folder, fast) {
  const sources = newest(join(folder, 'src'))
  // A full build serves for a fast one.
  return [stampOf(folder, false), ...(fast ? [stampOf(folder, true)] : [])].some((stamp) => {
    try {
      return statSync(stamp).mtimeMs > sources
    } catch {
      return false
    }
  })
}

function tsup(folder, fast) {
  return new Promise((resolve, reject) => {
    const args = fast ? ['--no-dts', '--silent'] : ['--silent']
    const child = spawn('tsup', args, { cwd: folder, env: environment(), stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the build of ${folder} failed`))))
  })
}

async function rebuild(name, folder, fast) {
  process.stdout.write(`  building ${name}\n`)
  await tsup(folder, fast)
  writeFileSync(stampOf(folder, fast), '')
}

/** A package and everything of the workspace that it runs with. */
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
  const all = only === undefined ? packages() : closure(packages(), only)
  const names = new Set(all.map(({ name }) => name))
  const done = new Set()
  const running = new Map()
  const ready = () =>
    all.filter(
      ({ name, needs }) =>
        !done.has(name) && !running.has(name) && (fast || needs.every((need) => !names.has(need) || done.has(need))),
    )
  while (done.size < all.length) {
    for (const { name, folder } of ready()) {
      if (running.size >= AT_ONCE) break
      const work = isFresh(folder, fast) ? Promise.resolve() : rebuild(name, folder, fast)
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
