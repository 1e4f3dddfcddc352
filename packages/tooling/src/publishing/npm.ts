import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

export interface Called {
  readonly status: number | null
  readonly text: string
}

const PATIENCE_MS = 600_000
/** Error messages of npm when the registry is unreachable. */
export const OUT_OF_REACH = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/

/**
 * Returns the environment variables of a user who has npm but not this workspace: the current variables without those
 * that `npm run` set.
 */
export function strangersEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const ours =
    /^(?:npm_(?:lifecycle|package|config_local_prefix|execpath|command)|NODE_OPTIONS$|NODE_PATH$|INIT_CWD$|MATCHYARD_)/
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ours.test(name)))
}

/**
 * Returns the folder of an npm cache in which `npx` has never run a program. It shares the downloads of the usual
 * cache.
 */
export function emptyNpxCache(folder: string): string {
  const cache = join(folder, 'npm-cache')
  mkdirSync(cache)
  const usual = spawnSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).stdout.trim()
  const downloads = join(usual, '_cacache')
  if (existsSync(downloads)) symlinkSync(downloads, join(cache, '_cacache'))
  return cache
}

/**
 * Runs a command to its end. The function is asynchronous, because the registry that the command uses may run in this
 * process.
 */
export function call(cwd: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Called> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, timeout: PATIENCE_MS, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        text += chunk
      })
    }
    child.once('error', (error) => resolve({ status: null, text: String(error) }))
    child.once('close', (status) => resolve({ status, text }))
  })
}

/** Throws with the last 4,000 characters of the output when a command failed. */
export function demand({ status, text }: Called, what: string): void {
  if (status !== 0) throw new Error(`${what} failed:\n${text.slice(-4_000)}`)
}
