import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Environment } from '@matchyard/core/ports'
import { readSmall } from '../kit/index'
import type { AttemptFiles } from './attempt-files'
import type { StartFailure } from './attempt-records'
import { launchMarks } from './game-environment'

const LOOK_EVERY_MS = 5
const PATIENCE_MS = 20_000
/**
 * Flags for Node that keep the heap small: a supervisor stores at most a megabyte of output in memory, and there is one
 * supervisor for each game server.
 */
const NODE_FLAGS = ['--max-old-space-size=64', '--max-semi-space-size=1']

/**
 * Path of the supervisor's program, beside the folders `src` and `dist`. A source file is one folder deeper than the
 * built file.
 */
const SUPERVISOR = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../supervisor/main.mjs' : '../supervisor/main.mjs', import.meta.url),
)

export type SupervisedStart =
  | { readonly kind: 'launched' }
  | { readonly kind: 'failed'; readonly failure: StartFailure }
  /** No supervisor claimed the launch in time, so the launch is closed and never starts. */
  | { readonly kind: 'unclaimed'; readonly message: string }

/**
 * Starts a supervisor for a recorded launch and waits until that supervisor, or a supervisor started before, has
 * started the server. The supervisor gets the variables of `environment` by a pipe, because they may be secret.
 */
export async function superviseStart(
  files: AttemptFiles,
  installationId: string,
  environment: Environment,
  onEnd: () => void,
): Promise<SupervisedStart> {
  const log = openSync(files.path('supervisor.log'), 'a', 0o600)
  const supervisor = spawn(process.execPath, [...NODE_FLAGS, SUPERVISOR, files.directory], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', log, 'pipe'],
    env: { PATH: '/usr/bin:/bin', MATCHYARD_ROLE: 'supervisor', ...launchMarks(installationId, files) },
  })
  closeSync(log)
  const variables = supervisor.stdio[3] as Writable
  variables.on('error', () => {}) // the supervisor has ended, which `exit` reports
  variables.end(JSON.stringify(environment))
  let ended = false
  let failure: Error | undefined
  const end = (error?: Error) => {
    ended = true
    failure = error
    onEnd()
  }
  supervisor.once('error', end)
  supervisor.once('exit', () => end())
  supervisor.unref()
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
    // This is read before the files, because the files do not change after the supervisor has ended.
    const over = ended
    const outcome = await look(files)
    if (outcome !== undefined) return outcome
    if (over) break
    await pause(LOOK_EVERY_MS)
  }
  // The supervisor may be late, and another service process may have started a supervisor too. Only the supervisor with
  // the claim starts the server.
  if (!(await files.closeClaim())) return { kind: 'launched' }
  return { kind: 'unclaimed', message: failure?.message ?? (await lastWords(files.path('supervisor.log'))) }
}

async function look(files: AttemptFiles): Promise<SupervisedStart | undefined> {
  const failure = await files.read('failed.json')
  if (failure !== undefined) return { kind: 'failed', failure }
  const started = existsSync(files.path('status.json')) || existsSync(files.path('exit.json'))
  return started ? { kind: 'launched' } : undefined
}

async function lastWords(path: string): Promise<string> {
  const lines = ((await readSmall(path)) ?? '').split('\n').filter((line) => /\S/.test(line))
  return lines.find((line) => /Error/.test(line)) ?? lines.at(-1) ?? 'its supervisor did not start'
}
