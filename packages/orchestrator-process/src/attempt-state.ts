import { stat, truncate } from 'node:fs/promises'
import type { ServerExit } from '@matchyard/core'
import { type AttemptFiles, isMissing, type StartedStatus } from './attempt-files'
import { isAlive, type MarkedProcess, type ProcessIdentity, sendSignal } from './proc'

/** What became of one attempt. `unlaunched`: recorded, but no supervisor has claimed it. */
export type AttemptState =
  | { readonly kind: 'unlaunched' }
  | {
      readonly kind: 'alive'
      readonly supervisor: ProcessIdentity | undefined
      readonly status: StartedStatus | undefined
    }
  | { readonly kind: 'exited'; readonly exit: ServerExit }

const UNWATCHED_OUTPUT_BYTES = 4 * 1024 * 1024

export interface Machine {
  readonly bootId: string | null
  /** Every marked process of the installation, read anew. */
  scan(): Promise<MarkedProcess[]>
}

/**
 * Looks at one attempt: the exit status if it was written, else its supervisor, else the processes themselves.
 * A server whose supervisor was killed goes on; only its exit status is then lost.
 */
export async function attemptState(files: AttemptFiles, machine: Machine): Promise<AttemptState> {
  const written = await exitOf(files)
  if (written !== undefined) return written
  const claim = await files.read('claim.json')
  if (claim === undefined) return { kind: 'unlaunched' }
  if ('closed' in claim) return lost(files, 'stopped before it was launched')
  const status = await files.read('status.json')
  if (await isAlive(claim, machine.bootId)) return { kind: 'alive', supervisor: claim, status }
  // It may have written the status between the two looks, and gone.
  const late = await exitOf(files)
  if (late !== undefined) return late
  if (claim.bootId !== machine.bootId) return lost(files, 'machine_restarted')
  if (await isUnwatched(files, status, machine)) {
    await boundOutput(files)
    return { kind: 'alive', supervisor: undefined, status }
  }
  return lost(files, 'supervisor_lost')
}

async function exitOf(files: AttemptFiles): Promise<AttemptState | undefined> {
  const exit = await files.read('exit.json')
  return exit === undefined ? undefined : { kind: 'exited', exit }
}

/** Without a supervisor: the server lives as long as its main process; what outlives that one is ended. */
async function isUnwatched(files: AttemptFiles, status: StartedStatus | undefined, machine: Machine): Promise<boolean> {
  if (status !== undefined && (await isAlive(status.main, machine.bootId))) return true
  const left = await processesOf(files, machine)
  // The supervisor was lost before it wrote what it started.
  if (status === undefined) return left.length > 0
  for (const { pid } of left) sendSignal(pid, 'SIGKILL')
  return false
}

export async function processesOf(
  { instanceId, attempt }: { instanceId: string; attempt: number },
  machine: Machine,
): Promise<MarkedProcess[]> {
  return (await machine.scan()).filter((one) => one.instanceId === instanceId && one.attempt === attempt)
}

/** Writes the end down, so that it is told the same ever after; a full disk only makes it be found out again. */
async function lost(files: AttemptFiles, reason: string): Promise<AttemptState> {
  const exit = { code: null, signal: null, reason, at: await lastSeen(files) }
  try {
    await files.write('exit.json', exit)
  } catch (error) {
    if (isMissing(error)) return { kind: 'unlaunched' } // discarded at this moment
  }
  return { kind: 'exited', exit }
}

/** The newest mark on any of the attempt's files. */
async function lastSeen(files: AttemptFiles): Promise<number> {
  const names = ['alive', 'stdout', 'stderr', 'journal.log', 'status.json', 'claim.json', 'record.json']
  const times = await Promise.all(
    names.map((name) =>
      stat(files.path(name)).then(
        (found) => found.mtimeMs,
        () => 0,
      ),
    ),
  )
  return Math.floor(Math.max(...times))
}

/** What the supervisor would have seen to: the output of a server must not fill the disk. */
async function boundOutput(files: AttemptFiles): Promise<void> {
  for (const name of ['stdout', 'stderr']) {
    const size = await stat(files.path(name)).then(
      (found) => found.size,
      () => 0,
    )
    if (size > UNWATCHED_OUTPUT_BYTES) await truncate(files.path(name)).catch(() => {})
  }
}
