// `npm run prove:create`: what a newcomer does, in an empty folder beside nothing of this workspace. `npm create matchyard` runs from its
// archive; `npm install` takes this workspace's packages, as they would be published, from a registry of this process and all else
// from the usual one; then the game's types, its own tests with its first match, and `npm start` up to its page.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../packages/tooling/src/build.mjs'
import { packAll } from '../packages/tooling/src/published.mjs'
import { environment, install } from '../packages/tooling/src/workspace.mjs'

const PATIENCE_MS = 600_000
const OUT_OF_REACH = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/

install()
await build({ fast: false })
const scratch = mkdtempSync(join(tmpdir(), 'matchyard-create-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
const archives = join(scratch, 'archives')
mkdirSync(archives)
const packed = packAll(archives)
const registry = await serveArchives(packed)

try {
  await prove()
  process.exitCode = 0
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  registry.close()
}

async function prove() {
  const place = join(scratch, 'empty')
  mkdirSync(place)
  const created = await call(place, 'npm', [
    'exec',
    '--yes',
    `--package=${packed.get('create-matchyard')}`,
    '--',
    'create-matchyard',
    'my-game',
  ])
  demand(created, 'npm create matchyard')
  console.log('made by npm create matchyard')
  const folder = join(place, 'my-game')
  writeFileSync(join(folder, '.npmrc'), `@matchyard:registry=http://127.0.0.1:${registry.address().port}/\n`)
  const installed = await call(folder, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'])
  if (installed.status !== 0 && OUT_OF_REACH.test(installed.text)) {
    console.log(`NOT PROVED: what it depends on cannot be had here (${OUT_OF_REACH.exec(installed.text)?.[0]})`)
    return
  }
  demand(installed, 'npm install')
  demand(await call(folder, 'npm', ['run', 'check']), 'npm run check')
  console.log('installed, and its types hold')
  const tested = await call(folder, 'npm', ['test'])
  demand(tested, 'npm test')
  if (!/two players meet, play a match/.test(tested.text)) throw new Error(`no match was played:\n${tested.text}`)
  console.log('its own tests pass, and its first match has happened')
  console.log(await start(folder))
}

/** `npm start` up to its page; Ctrl-C then ends all that it started. */
async function start(folder) {
  const child = spawn('npm', ['start'], { cwd: folder, env: { ...surroundings(), PORT: '0' }, detached: true })
  let text = ''
  const exited = new Promise((done) => child.once('exit', done))
  const url = await new Promise((up, failed) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        text += chunk
        const [, found] = /Play: (\S+)/.exec(text) ?? []
        if (found !== undefined) up(found)
      })
    }
    child.once('exit', () => failed(new Error(`npm start ended:\n${text}`)))
  })
  const page = await (await fetch(url)).text()
  if (!page.includes('Five stars')) throw new Error(`its page is another:\n${page}`)
  process.kill(-child.pid, 'SIGINT')
  await exited
  return 'npm start shows its page, and Ctrl-C ends it'
}

/** A registry of these archives alone. */
async function serveArchives(archives) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1)
    const [name, file] = path.split('/-/')
    const archive = archives.get(name)
    if (archive === undefined) return void response.writeHead(404).end('{}')
    const bytes = readFileSync(archive)
    if (file !== undefined) return void response.end(bytes)
    const manifest = JSON.parse(
      spawnSync('tar', ['-xzOf', archive, 'package/package.json'], { encoding: 'utf8' }).stdout,
    )
    const tarball = `http://${request.headers.host}/${name}/-/package.tgz`
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
    const version = { ...manifest, dist: { tarball, integrity } }
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ name, 'dist-tags': { latest: manifest.version }, versions: { [manifest.version]: version } }),
    )
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return server
}

/** Without what `npm run` told this process of the workspace. */
function surroundings() {
  const wanted = Object.entries(environment()).filter(
    ([name]) => !/^(npm_(lifecycle|package|config_local_prefix|execpath)|NODE_OPTIONS|INIT_CWD)/.test(name),
  )
  return Object.fromEntries(wanted)
}

/** Not waited for in one go: this process is the registry meanwhile. */
function call(cwd, command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: surroundings(),
      timeout: PATIENCE_MS,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        text += chunk
      })
    }
    child.once('error', (error) => resolve({ status: null, text: String(error) }))
    child.once('close', (status) => resolve({ status, text }))
  })
}

function demand({ status, text }, what) {
  if (status !== 0) throw new Error(`${what} failed:\n${text.slice(-4_000)}`)
}
