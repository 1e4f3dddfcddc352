import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { postgresPrograms } from './programs'

/**
 * A PostgreSQL server for tests, in a temporary folder, reached through a socket file there. It listens on no port
 * unless the settings name one.
 */
export interface TestServer {
  readonly url: string
  /** Ends every connection and the server, and starts the server again on the same data. */
  restart(): Promise<void>
  /** Ends the server as a power cut would. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Copies the server's files while it is stopped, then starts it again. */
  keepCopy(): Promise<void>
  /**
   * Ends the server as a power cut would, and starts it again on the copy. Commits after the copy are lost without a
   * message.
   */
  goBack(): Promise<void>
  stop(): Promise<void>
}

interface User {
  readonly uid: number
  readonly gid: number
}

/**
 * Settings of every test server. Tests need no durable data, so writing to disk synchronously would only slow them
 * down.
 */
const SETTINGS = [
  'listen_addresses=',
  'fsync=off',
  'full_page_writes=off',
  'max_connections=200',
  'log_min_messages=fatal',
]

/**
 * Shell script that ends the server when the pipe to its parent process closes, so that a killed test run leaves no
 * server behind.
 */
const WITH_PARENT = 'exec 3<&0; "$@" & server=$!; (read -r _ <&3; kill -INT $server) & wait $server'

/**
 * Starts a server. `settings` are arguments of `postgres -c`; `port=…` with `listen_addresses=…` makes it listen on the
 * network as well.
 */
export async function startServer(settings: readonly string[] = []): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'matchyard-pg-'))
  const user = otherUser()
  // The folder is readable by everybody, because the server may run as another user than this process.
  await chmod(folder, 0o755)
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const programs = await postgresPrograms(folder, user !== undefined)
  const data = join(folder, 'data')
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
  await ended(run(join(programs, 'initdb'), initdb, user), 'initdb')

  const port = settings.find((setting) => setting.startsWith('port='))?.slice('port='.length)
  const authority = port === undefined ? 'localhost' : `localhost:${port}`
  const url = `postgres://postgres@${authority}/postgres?host=${encodeURIComponent(folder)}`
  let server: ChildProcess | undefined
  const start = async () => {
    const options = [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting])
    const postgres = [join(programs, 'postgres'), '-D', data, '-k', folder, ...options]
    server = run('/bin/sh', ['-c', WITH_PARENT, 'sh', ...postgres], user)
    await answers(url, server)
  }
  const end = async (signal: NodeJS.Signals) => {
    const ending = server
    server = undefined
    if (ending === undefined || ending.exitCode !== null) return
    const gone = new Promise((resolve) => ending.once('exit', resolve))
    process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), signal)
    await gone
    ending.stdin?.end()
  }
  const copy = (from: string, to: string) => ended(run('cp', ['-a', from, to], user), 'cp')
  await start()
  return {
    url,
    start,
    async restart() {
      await end('SIGINT')
      await start()
    },
    kill: () => end('SIGQUIT'),
    async keepCopy() {
      await end('SIGINT')
      await copy(data, `${data}.copy`)
      await start()
    },
    async goBack() {
      await end('SIGQUIT')
      await rm(data, { recursive: true })
      await copy(`${data}.copy`, data)
      await start()
    },
    async stop() {
      await end('SIGINT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Returns the user as whom PostgreSQL runs: it refuses to run as root, so `postgres` or `nobody` is used then. Returns
 * undefined when this process is not root.
 */
export function otherUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (user === undefined) throw new Error('there is no user, postgres or nobody, that PostgreSQL could run as')
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

const output = new WeakMap<ChildProcess, string[]>()

function run(program: string, options: readonly string[], user: User | undefined): ChildProcess {
  const child = spawn(program, options, { ...user, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'], env: { LC_ALL: 'C' } })
  const lines: string[] = []
  output.set(child, lines)
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => lines.push(String(text)))
  return child
}

async function ended(child: ChildProcess, name: string): Promise<void> {
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve))
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${output.get(child)?.join('')}`)
}

async function answers(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    const client = new Client(url)
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      if (server.exitCode !== null) throw new Error(`postgres ended: ${output.get(server)?.join('')}`)
      await wait(20)
    }
  }
}
