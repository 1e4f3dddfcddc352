import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import Docker from 'dockerode'
import { addressOf } from '../engine'

const run = promisify(execFile)
const PATIENCE_MS = 60_000
// Debian installs the engine's programs in sbin folders, which the PATH of some users lacks.
const PATH = ['/usr/sbin', '/sbin', process.env.PATH ?? ''].join(delimiter)

/** A container engine for tests. */
export interface TestEngine {
  readonly host: string
  readonly docker: Docker
  stop(): Promise<void>
}

/** A test engine that a test may stop and restart. */
export interface OwnEngine extends TestEngine {
  /** Stops the engine with SIGTERM; the data of the engine stays. */
  kill(): Promise<void>
  restart(): Promise<void>
}

/**
 * Returns the engine at DOCKER_HOST, or starts a new engine. When neither is possible, returns the reason as a
 * sentence.
 */
export async function testEngine(): Promise<TestEngine | string> {
  const host = process.env.DOCKER_HOST
  if (host === undefined || host === '') return ownEngine()
  const docker = clientOf(host)
  await docker.ping()
  return { host, docker, stop: async () => {} }
}

/**
 * Starts a separate engine in a temporary folder. This needs root, and the programs `dockerd` and `containerd` (Debian
 * package `docker.io`).
 */
export async function ownEngine(): Promise<OwnEngine | string> {
  if (process.platform !== 'linux') return 'engines are started on Linux alone; set DOCKER_HOST'
  const missing = ['dockerd', 'containerd'].find(
    (name) => !PATH.split(delimiter).some((dir) => existsSync(join(dir, name))),
  )
  if (missing !== undefined) return `${missing} is not installed`
  if (process.getuid?.() !== 0) return 'an engine is started by root alone; set DOCKER_HOST'
  let last = ''
  for (const driver of ['overlay2', 'vfs']) {
    const engine = await start(driver)
    if (typeof engine !== 'string') return engine
    last = engine
  }
  return last
}

async function start(driver: string): Promise<OwnEngine | string> {
  const folder = await mkdtemp(join(tmpdir(), 'engine-'))
  const host = `unix://${join(folder, 'engine.sock')}`
  const docker = clientOf(host)
  let engine = await daemon(folder, host, driver, docker)
  if (typeof engine === 'string') {
    await clear(folder)
    return engine
  }
  const end = async (signal: NodeJS.Signals) => {
    if (typeof engine === 'string' || engine.exitCode !== null || engine.signalCode !== null) return
    const ended = once(engine, 'exit')
    engine.kill(signal)
    await ended
  }
  process.once('exit', () => typeof engine !== 'string' && engine.kill('SIGKILL'))
  return {
    host,
    docker,
    kill: () => end('SIGTERM'),
    async restart() {
      engine = await daemon(folder, host, driver, docker)
      if (typeof engine === 'string') throw new Error(engine)
    },
    async stop() {
      await letGo(docker).catch(() => {}) // a test may have stopped the engine and not restarted it
      await end('SIGTERM')
      await clear(folder)
    },
  }
}

async function daemon(folder: string, host: string, driver: string, docker: Docker) {
  const engine = spawn(
    'dockerd',
    [
      ...['--host', host, '--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec')],
      ...['--pidfile', join(folder, 'engine.pid'), '--storage-driver', driver],
      // Leave the packet filter and the bridges of the machine unchanged.
      ...['--iptables=false', '--ip6tables=false', '--bridge=none'],
    ],
    { env: { ...process.env, PATH }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let said = ''
  engine.stderr.on('data', (data) => {
    said = (said + data).slice(-4_000)
  })
  engine.once('error', () => {})
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await pause(50)) {
    if (engine.exitCode !== null || engine.signalCode !== null || engine.pid === undefined) break
    const up = await docker.ping().catch(() => undefined)
    if (up !== undefined) return engine
  }
  engine.kill('SIGKILL')
  return `dockerd does not start here: ${said.trim().split('\n').at(-1) ?? 'it said nothing'}`
}

/**
 * Removes all containers and networks, because network bridges stay when the engine ends, and the machine can have only
 * a few dozen.
 */
async function letGo(docker: Docker): Promise<void> {
  for (const { Id } of await docker.listContainers({ all: true })) {
    await docker.getContainer(Id).remove({ force: true, v: true })
  }
  for (const { Id, Name } of await docker.listNetworks()) {
    if (!['host', 'none', 'bridge'].includes(Name)) await docker.getNetwork(Id).remove()
  }
}

/**
 * Removes the engine's folder. First kills the processes that the engine left running (shims of interrupted starts),
 * and unmounts what it mounted there.
 */
async function clear(folder: string): Promise<void> {
  const left = await processesOf(folder)
  // The children are killed too, because a container may have been starting when the engine ended.
  for (const pid of [...(await Promise.all(left.map(childrenOf))).flat(), ...left]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {} // the process has already ended
  }
  const { stdout } = await run('cat', ['/proc/self/mounts'])
  const mounted = stdout.split('\n').flatMap((row) => {
    const path = row.split(' ')[1] ?? ''
    return path.startsWith(`${folder}/`) ? [path] : []
  })
  for (const path of mounted.reverse()) await run('umount', ['--lazy', path]).catch(() => {})
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

/** Returns the ids of processes whose command line contains the engine's folder. */
async function processesOf(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return pids.filter((_, i) => lines[i]?.includes(`${folder}/`)).map(Number)
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return text
    .split(' ')
    .filter((child) => child !== '')
    .map(Number)
}

export const clientOf = (host: string): Docker => new Docker({ ...addressOf(host) })
