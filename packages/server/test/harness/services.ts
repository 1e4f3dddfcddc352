import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packGameServer } from '@matchyard/example-game-server'
import type { Credentials } from '../../src/dev/local-files'
import { type Api, api } from './api'
import { Command, type CommandOptions } from './command'

const ARCHIVE = fileURLToPath(new URL('../../dist/demo-game-server.zip', import.meta.url))

/** `dev` seeds what the build packs; a checkout that was never built gets it here. */
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

/** `matchyard dev` on any free port, once it is up. */
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

/** Of every start in these tests: a database takes no second one. */
export const SECRET = goodSecret()

/** What `serve` needs at least, on any free port. */
export const serveEnvironment = (cwd: string, more: Record<string, string> = {}): Record<string, string> => ({
  MATCHYARD_SECRET: SECRET,
  MATCHYARD_DATA: join(cwd, 'data'),
  HOST: '127.0.0.1',
  PORT: '0',
  // A machine that runs many tests at once is overloaded, and is not what they ask about.
  OVERLOAD_DELAY_MS: '0',
  ...more,
})

/** For tests in which a developer registers, and buys a plan with a test card. */
export const OPEN_TO_ALL: Record<string, string> = { REGISTRATION: 'open', PAYMENTS: 'manual' }

/** `matchyard serve`, once it listens. */
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
