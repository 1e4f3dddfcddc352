// `npm run prove -- create`: follows a newcomer in an empty folder outside the workspace. `npm create matchyard` and
// `npm install` take this workspace's packages, as they would be published, from a registry of this process, and other
// packages from the usual registry. Then the game's types are checked, its own tests run with its first match, and `npm
// start` must serve its page.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../packages/tooling/src/build.mjs'
import { packAll, publishedPackages } from '../packages/tooling/src/published.mjs'
import {
  call,
  demand,
  emptyNpxCache,
  OUT_OF_REACH,
  strangersEnvironment,
} from '../packages/tooling/src/publishing/npm.ts'
import { inOrderOfPublishing } from '../packages/tooling/src/publishing/order.ts'
import { rehearse } from '../packages/tooling/src/publishing/rehearsal.ts'
import { environment, install } from '../packages/tooling/src/workspace.mjs'

install()
await build({ fast: false })
const scratch = mkdtempSync(join(tmpdir(), 'matchyard-create-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
const archives = join(scratch, 'archives')
mkdirSync(archives)
const packed = packAll(archives)
const order = inOrderOfPublishing(publishedPackages().map(({ manifest }) => manifest)).map(({ name }) => name)
const env = { ...strangersEnvironment(environment()), npm_config_cache: emptyNpxCache(scratch) }
const registry = await rehearse(packed, order, scratch, env)

try {
  await prove()
  process.exitCode = 0
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  registry.stop()
}

async function prove() {
  const place = join(scratch, 'empty')
  mkdirSync(place)
  // The package has no dependencies, so it needs no other registry.
  const create = ['create', '--yes', '--registry', registry.url, 'matchyard', 'my-game']
  demand(await call(place, 'npm', create, env), 'npm create matchyard')
  console.log('made by npm create matchyard')
  const folder = join(place, 'my-game')
  writeFileSync(join(folder, '.npmrc'), `@matchyard:registry=${registry.url}\n`)
  const installed = await call(folder, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], env)
  if (installed.status !== 0 && OUT_OF_REACH.test(installed.text)) {
    console.log(`NOT PROVED: what it depends on cannot be had here (${OUT_OF_REACH.exec(installed.text)?.[0]})`)
    return
  }
  demand(installed, 'npm install')
  demand(await call(folder, 'npm', ['run', 'check'], env), 'npm run check')
  console.log('installed, and its types hold')
  const tested = await call(folder, 'npm', ['test'], env)
  demand(tested, 'npm test')
  if (!/two players meet, play a match/.test(tested.text)) throw new Error(`no match was played:\n${tested.text}`)
  console.log('its own tests pass, and its first match has happened')
  console.log(await start(folder))
}

/** Runs `npm start` until the page is served. Ctrl-C must then end every process that was started. */
async function start(folder) {
  const child = spawn('npm', ['start'], { cwd: folder, env: { ...env, PORT: '0' }, detached: true })
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
