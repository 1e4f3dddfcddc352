import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packGameServer } from '@matchyard/example-game-server'
import type { Credentials } from '../../src/dev/local-files'
import { type Api, api } from './api'
import { Command, type CommandOptions } from './command'

const ARCHIVE = fileURLToPath(new URL('../../dist/demo-game-server.zip', import.meta.url))

/** Packs the demo's archive if it is missing: `dev` needs it, and a checkout may never have been built. */
export async function ensureDemoArchive(): Promise<void> {
  if (existsSync(ARCHIVE)) return
  mkdirSync(join(ARCHIVE, '..'), { recursive: true })
  const draft = `${ARCHIVE}.${process.pid}`
  writeFileSync(draft, await packGameServer())
  renameSync(draft, ARCHIVE)
}

export interface Running {
  readonly command: Command
  readonly url: string
  readonly call: Api
}

/** Starts `matchyard dev` on a free port, and waits until it is up. */
export async function startDev(
  cwd: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Running & { files: DevFiles }> {
  await ensureDemoArchive()
  const command = new Command(['dev', '--port', '0', '--data', join(cwd, 'data'), ...args], { cwd, env })
  const url = (await command.seen(/is up at (\S+)[\s\S]*Ctrl-C/))[1] ?? ''
  return { command, url, call: api(url), files: devFiles(cwd) }
}

export interface DevFiles {
  readonly path: string
  readonly credentials: Credentials
}

export function devFiles(cwd: string): DevFiles {
  const path = join(cwd, 'data', 'credentials.json')
  return { path, credentials: JSON.parse(readFileSync(path, 'utf8')) }
}

export const goodSecret = (): string => randomBytes(36).toString('base64url')

/** Secret of every start in these tests: a database refuses a second one. */
export const SECRET = goodSecret()

/** Returns the least environment of `serve`, on a free port. */
export const serveEnvironment = (cwd: string, more: Record<string, string> = {}): Record<string, string> => ({
  MATCHYARD_SECRET: SECRET,
  MATCHYARD_DATA: join(cwd, 'data'),
  HOST: '127.0.0.1',
  PORT: '0',
  // Off, because a machine that runs many tests at once is overloaded, and these tests are not about overload.
  OVERLOAD_DELAY_MS: '0',
  ...more,
})

/** Environment of tests in which a developer registers and buys a plan with a test card. */
export const OPEN_TO_ALL: Record<string, string> = { REGISTRATION: 'open', PAYMENTS: 'manual' }

/** Starts `matchyard serve`, and waits until it listens. */
export async function startServe(
  cwd: string,
  env: Record<string, string> = {},
  more: Pick<CommandOptions, 'openFiles'> = {},
): Promise<Running> {
  const command = new Command(['serve'], { cwd, env: serveEnvironment(cwd, env), ...more })
  const port = (await command.seen(/"port":(\d+),.*"msg":"listening"/))[1]
  const url = `http://127.0.0.1:${port}`
  return { command, url, call: api(url) }
}
