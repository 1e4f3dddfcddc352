import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { call, demand, emptyNpxCache, OUT_OF_REACH, strangersEnvironment } from './npm.ts'
import type { Registry } from './registry.ts'

const UP_WITHIN_MS = 300_000
const MATCHED_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 200
const LINE = ['npx', '--yes', '@matchyard/server', 'dev'] as const

/**
 * Imitates a new user who has npm and no files of this workspace, in empty folders. Runs `npx @matchyard/server dev`,
 * runs the lines that it prints for two players until the players are in a match, and runs `npm create matchyard`. The
 * packages of this workspace come from `registry`, all other packages from the usual registry. Returns a sentence that
 * says what happened.
 */
export async function walkAsNewcomer(registry: Registry, scratch: string, root: string): Promise<string> {
  const env = { ...strangersEnvironment(process.env), npm_config_cache: emptyNpxCache(scratch), PORT: '0' }
  Object.assign(env, prebuilt(registry, scratch, root))
  const folder = join(scratch, 'newcomer')
  mkdirSync(folder)
  writeFileSync(join(folder, '.npmrc'), `@matchyard:registry=${registry.url}\nprefer-offline=true\n`)
  const dev = new Dev(folder, env)
  try {
    const url = await dev.up()
    if (url === undefined) return 'NOT PROVED: the dependencies of the packages cannot be installed here'
    const met = await twoPlayers(url, dev.text, folder, env)
    await dev.interrupt()
    // `create-matchyard` has no dependencies, so no other registry is needed.
    const create = ['create', '--yes', '--registry', registry.url, 'matchyard', 'my-game']
    demand(await call(folder, 'npm', create, env), 'npm create matchyard')
    return `${LINE.join(' ')}: ${met}; npm create matchyard: ${templateOf(folder)}`
  } finally {
    await dev.interrupt()
  }
}

/**
 * Provides better-sqlite3's native module from this workspace, because its installation would download the module from
 * an address that may be unreachable here.
 */
function prebuilt(registry: Registry, scratch: string, root: string): NodeJS.ProcessEnv {
  const require = createRequire(join(root, 'packages', 'storage-sqlite', 'package.json'))
  const manifest = require.resolve('better-sqlite3/package.json')
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }
  const file = `better-sqlite3-v${version}-node-v${process.versions.modules}-${process.platform}-${process.arch}.tar.gz`
  const made = join(scratch, file)
  spawnSync('tar', ['-czf', made, '-C', dirname(manifest), 'build/Release/better_sqlite3.node'])
  registry.serve(`prebuilt/v${version}/${file}`, readFileSync(made))
  return { npm_config_better_sqlite3_binary_host: `${registry.url}prebuilt` }
}

class Dev {
  text = ''
  private readonly child: ChildProcess
  private readonly exited: Promise<unknown>

  constructor(cwd: string, env: NodeJS.ProcessEnv) {
    const [command, ...args] = LINE
    // With a separate process group, one signal ends npx, its shell and the service together, as in a terminal.
    this.child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    this.exited = new Promise((done) => this.child.once('close', done))
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.text += chunk
      })
    }
  }

  private get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  /**
   * Waits for the service and returns its address. Returns undefined when the registry of its dependencies is
   * unreachable.
   */
  async up(): Promise<string | undefined> {
    for (const giveUpAt = performance.now() + UP_WITHIN_MS; performance.now() < giveUpAt; await pause(LOOK_EVERY_MS)) {
      const [, url] = /Matchyard is up at (\S+)[\s\S]*Ctrl-C/.exec(this.text) ?? []
      if (url !== undefined) return url
      if (!this.hasEnded) continue
      if (OUT_OF_REACH.test(this.text)) return undefined
      break
    }
    throw new Error(`${LINE.join(' ')} did not come up:\n${this.text.slice(-4_000)}`)
  }

  /** Sends SIGINT to the whole group, like Ctrl-C, and waits for the end. */
  async interrupt(): Promise<void> {
    if (!this.hasEnded && this.child.pid !== undefined) process.kill(-this.child.pid, 'SIGINT')
    await this.exited
  }
}

/**
 * Runs the first printed line, which creates ann's lobby, once for ann and once for bob, and puts both lobbies into the
 * queue. Returns a sentence when the two players are in one match.
 */
async function twoPlayers(url: string, printed: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const lines = printed.match(/^ {2}curl .*$/gm) ?? []
  const [first = ''] = lines
  const curl = async (line: string) => {
    const called = await call(cwd, 'sh', ['-c', line], env)
    demand(called, line)
    return called.text === '' ? {} : JSON.parse(called.text)
  }
  for (const line of lines.slice(1)) await curl(line)
  const players = ['ann', 'bob'].map((player) => ({
    player,
    make: first.replace('x-player-id: ann', `x-player-id: ${player}`),
  }))
  const key = / -H '(api-key: [^']+)'/.exec(first)?.[1]
  const lobbies: { readonly player: string; readonly address: string }[] = []
  for (const { player, make } of players) {
    const { lobby_id: id } = await curl(make)
    lobbies.push({ player, address: `${url}/v1/lobbies/${id}` })
  }
  for (const { player, address } of lobbies)
    await curl(`curl -sf -X POST ${address}/queue -H '${key}' -H 'x-player-id: ${player}'`)
  for (
    const giveUpAt = performance.now() + MATCHED_WITHIN_MS;
    performance.now() < giveUpAt;
    await pause(LOOK_EVERY_MS)
  ) {
    const seen = await Promise.all(
      lobbies.map(({ player, address }) => curl(`curl -sf ${address} -H '${key}' -H 'x-player-id: ${player}'`)),
    )
    const matches = new Set(seen.map(({ status, match_id }) => (status === 'in_game' ? match_id : undefined)))
    const [match] = matches
    if (matches.size === 1 && typeof match === 'string') return 'two players are in one match, on its game server'
  }
  throw new Error(`no match was made:\n${printed.slice(-4_000)}`)
}

function templateOf(folder: string): string {
  const { name } = JSON.parse(readFileSync(join(folder, 'my-game', 'package.json'), 'utf8')) as {
    readonly name: string
  }
  return `${name} is there`
}
