import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, writeFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { otherUser } from './server'

/** Environment whose PATH includes the folders of system programs, which are often missing in a user's PATH. */
const env = { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin`, LC_ALL: 'C' }

export const poolerIsHere = (): boolean => spawnSync('pgbouncer', ['-V'], { env }).status === 0

/** A PgBouncer for tests, in front of a test server. */
export interface Pooler {
  readonly url: string
  stop(): Promise<void>
}

export interface PoolerOptions {
  readonly mode: 'transaction' | 'session'
  /** Session settings that the pooler ignores. Operators configure these after the pooler has refused them. */
  readonly ignores?: readonly string[]
}

const PORT = 6_432

/**
 * Returns the pooler's configuration. The pooler uses its server processes in turn, so that a test fails if a
 * transaction depends on state that an earlier transaction left.
 */
const configuration = (folder: string, serverFolder: string, { mode, ignores = [] }: PoolerOptions) => `
[databases]
* = host=${serverFolder} user=postgres
[pgbouncer]
auth_type = any
pool_mode = ${mode}
server_round_robin = 1
default_pool_size = ${mode === 'transaction' ? 6 : 100}
max_client_conn = 400
unix_socket_dir = ${folder}
listen_port = ${PORT}
${ignores.length === 0 ? '' : `ignore_startup_parameters = ${ignores.join(',')}`}
`

/**
 * Starts PgBouncer in front of the server of `startServer`. PgBouncer connects through the socket file in the server's
 * folder.
 */
export async function startPooler(serverUrl: string, options: PoolerOptions): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), 'matchyard-bouncer-'))
  const user = otherUser()
  await chmod(folder, 0o755)
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, configuration(folder, new URL(serverUrl).searchParams.get('host') ?? '', options))
  const child = spawn('pgbouncer', [file], { ...user, cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk
  })
  const url = `postgres://postgres@localhost:${PORT}/postgres?host=${encodeURIComponent(folder)}`
  try {
    await answers(url, child, () => said)
  } catch (error) {
    await ended(child, folder)
    throw error
  }
  return { url, stop: () => ended(child, folder) }
}

async function ended(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await gone
  }
  await rm(folder, { recursive: true, force: true })
}

async function answers(url: string, child: ChildProcess, said: () => string): Promise<void> {
  for (;;) {
    const client = new Client(url)
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      return await client.end()
    } catch {
      await client.end().catch(() => {})
      if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${said()}`)
      await wait(20)
    }
  }
}
