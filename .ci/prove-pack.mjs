// `npm run prove -- pack`: packs each published package as for a registry and installs it into an empty folder outside
// the workspace. The first program of its README with each of its entries is type-checked there with strict settings
// (nodenext for both kinds of module, and bundler), and run as an ES module and as CommonJS. `--only @matchyard/core`
// checks one package. Needs `node --import tsx --conditions=@matchyard/source`.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blocksOf, DOCUMENTS } from '../docs/test/documents.ts'
import { SideDoor, startServer } from '../packages/storage-postgres/src/testing/index.ts'
import { build } from '../packages/tooling/src/build.mjs'
import { packAll, publishedPackages } from '../packages/tooling/src/published.mjs'
import { environment, install, packageManager, root } from '../packages/tooling/src/workspace.mjs'

const PATIENCE_MS = 120_000
const COMPILER = { strict: true, skipLibCheck: false, target: 'es2022', lib: ['es2023'], types: ['node'] }
/** With `--only`, a database is needed only when the named package needs one. */
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined

install()
await build({ fast: false })
const scratch = mkdtempSync(join(tmpdir(), 'matchyard-pack-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
const archives = join(scratch, 'archives')
mkdirSync(archives)
const packed = packAll(archives)
const database = only === undefined || only.endsWith('postgres') ? await startServer() : undefined

// A package without entries is a command; `npm run prove -- create` checks it.
const libraries = publishedPackages().filter(({ manifest }) => manifest.exports !== undefined)
const wanted = libraries.filter(({ manifest }) => only === undefined || manifest.name === only)
const failed = []
for (const { folder, manifest } of wanted) {
  try {
    const result = await prove(folder, manifest.name)
    console.log(`${manifest.name}: ${result}`)
  } catch (error) {
    failed.push(manifest.name)
    console.error(`${manifest.name}: ${error.message}`)
  }
}
await database?.stop()
console.log(failed.length === 0 ? `${wanted.length} packages proved` : `${failed.length} of ${wanted.length} failed`)
process.exit(failed.length === 0 && wanted.length > 0 ? 0 : 1)

async function prove(folder, name) {
  const readme = `${folder.slice(root.length).replace(/^\//, '')}/README.md`
  const programs = firstOfEachEntry(name, blocksOf(readme), DOCUMENTS[readme] ?? [])
  if (programs.length === 0) throw new Error('its README has no program with a known output')
  const text = readFileSync(join(root, readme), 'utf8')
  for (const [at, program] of programs.entries()) {
    const told = await proveProgram(name, program, text, join(scratch, `${name.replace(/\W/g, '-')}-${at + 1}`))
    if (told !== undefined) return told
  }
  return `${programs.length} of its programs as ESM, CommonJS, TypeScript (nodenext, bundler)`
}

/**
 * Yields each program that imports an entry which no earlier program imports, with the program's output in the README.
 */
function firstOfEachEntry(name, blocks, outputs) {
  const seen = new Set()
  return blocks.flatMap((code, at) => {
    const entries = [...code.matchAll(/from '([^']+)'/g)].map(([, specifier]) => specifier)
    const fresh = entries.filter((entry) => entry.startsWith(name) && !seen.has(entry))
    for (const entry of fresh) seen.add(entry)
    return fresh.length === 0 || outputs[at] === undefined ? [] : [{ code, printed: outputs[at] }]
  })
}

/** Returns the reason why the program could not be checked on this machine; undefined when it was checked. */
async function proveProgram(name, { code, printed }, text, project) {
  mkdirSync(project)
  write(project, 'package.json', manifestFor(name, code, text.slice(0, text.indexOf(code))))
  const lock = [
    'install',
    '--prefer-offline',
    '--ignore-workspace',
    '--no-frozen-lockfile',
    '--strict-peer-dependencies',
  ]
  const installed = call(project, 'npx', ['--yes', packageManager, ...lock])
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ERR_PNPM_META_FETCH_FAIL/.test(installed.text)) {
    return `NOT PROVED: what it depends on cannot be had here (${/ERR_PNPM_\w+|E[A-Z_]{6,}/.exec(installed.text)?.[0]})`
  }
  demand(installed, 'it cannot be installed')

  const ending = '\n;(await import("node:timers")).setTimeout(() => process.exit(0), 500)\n'
  writeFileSync(join(project, 'esm.mts'), code + ending)
  writeFileSync(join(project, 'cjs.cts'), wrapped(code, ending))
  write(project, 'tsconfig.json', {
    compilerOptions: { ...COMPILER, module: 'nodenext', moduleResolution: 'nodenext', outDir: 'out' },
    files: ['esm.mts', 'cjs.cts'],
  })
  write(project, 'tsconfig.bundler.json', {
    compilerOptions: { ...COMPILER, module: 'esnext', moduleResolution: 'bundler', noEmit: true },
    files: ['esm.mts'],
  })
  const tsc = join(project, 'node_modules', '.bin', 'tsc')
  demand(call(project, tsc, ['-p', 'tsconfig.json']), 'its types do not hold under nodenext')
  demand(call(project, tsc, ['-p', 'tsconfig.bundler.json']), 'its types do not hold under bundler')
  for (const program of ['out/esm.mjs', 'out/cjs.cjs']) {
    const place = mkdtempSync(join(project, 'run-'))
    await emptyDatabase()
    const ran = call(place, process.execPath, [join(project, program)])
    demand(ran, `${program} does not run`)
    if (!printed.test(ran.stdout)) throw new Error(`${program} printed ${ran.stdout}${ran.stderr}`)
  }
}

/** Removes the rows of one program, because they would disturb the next program. */
async function emptyDatabase() {
  if (database === undefined) return
  const door = new SideDoor(database.url, 'public')
  await door.query('drop schema if exists matchyard cascade')
  await door.end()
}

/**
 * Wraps the code in a function for CommonJS, which has no top-level await. Imports stay at the top, and the compiler
 * turns them into `require`.
 */
function wrapped(code, ending) {
  const imports = [...code.matchAll(/^import [^;]*? from '[^']+'$/gm)].map(([line]) => line)
  const body = imports.reduce((rest, line) => rest.replace(line, ''), code)
  return `${imports.join('\n')}\nasync function main() {\n${body}${ending}}\nvoid main()\n`
}

/**
 * Returns a manifest that depends on the package and on the packages of the last install command before the program in
 * the README. Packages of this workspace come from their archives.
 */
function manifestFor(name, code, text) {
  const line = [...text.matchAll(/^npm install (?:--save-dev )?(.*)$/gm)].at(-1)?.[1] ?? ''
  const imported = [...code.matchAll(/from '((?:@[^/']+\/)?[^/']+)/g)].map(([, specifier]) => specifier)
  // Each word is a package name, with a version where the README names one.
  const said = new Map(line.split(' ').map((word) => /^(.+?)(?:@([^@]+))?$/.exec(word)?.slice(1) ?? ['']))
  const names = [...new Set([name, ...said.keys(), ...imported])].filter(
    (one) => one !== '' && !one.startsWith('node:'),
  )
  const archive = (one) => `file:${packed.get(one)}`
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    name: 'empty',
    private: true,
    dependencies: Object.fromEntries(
      names.map((one) => [one, packed.has(one) ? archive(one) : (said.get(one) ?? '*')]),
    ),
    devDependencies: { typescript: devDependencies.typescript, '@types/node': devDependencies['@types/node'] },
    pnpm: {
      overrides: Object.fromEntries([...packed.keys()].map((one) => [one, archive(one)])),
      onlyBuiltDependencies: ['better-sqlite3'],
    },
  }
}

function write(project, file, value) {
  writeFileSync(join(project, file), JSON.stringify(value, undefined, 2))
}

function call(cwd, command, args) {
  const { NODE_OPTIONS, ...env } = { ...environment(), DATABASE_URL: database?.url ?? '' }
  const {
    stdout = '',
    stderr = '',
    status,
    error,
  } = spawnSync(command, args, { cwd, env, encoding: 'utf8', timeout: PATIENCE_MS })
  return { status, stdout, stderr, text: `${stdout}${stderr}${error ?? ''}` }
}

function demand({ status, text }, otherwise) {
  if (status !== 0) throw new Error(`${otherwise}:\n${text.slice(-3_000)}`)
}
