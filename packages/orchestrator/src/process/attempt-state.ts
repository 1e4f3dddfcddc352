import { stat, truncate } from 'node:fs/promises'
import type { ServerExit } from '@matchyard/core/ports'
import { isMissing } from '../kit/index'
import type { AttemptFiles } from './attempt-files'
import type { Claim, StartedStatus } from './attempt-records'
import { isAlive, isThere, type MarkedProcess, type ProcessIdentity, sendSignal, startTimeOf } from './proc'

/** State of one attempt. `unlaunched`: the attempt is recorded, but no supervisor has claimed it. */
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
  /** Returns all processes whose environment marks them as part of the installation. */
  scan(): Promise<MarkedProcess[]>
}

/**
 * Returns the state of one attempt: from its exit status if that was written, otherwise from its supervisor, otherwise
 * from its processes. When the supervisor of a server is killed, the server continues; only its exit status is lost. An
 * unreadable file is ignored, because the environment of every process of an attempt contains the same data.
 */
export async function attemptState(files: AttemptFiles, machine: Machine): Promise<AttemptState> {
  const written = await exitOf(files)
  if (written !== undefined) return written
  const claim = await files.look('claim.json')
  if (claim === undefined && !(await wasStarted(files))) return { kind: 'unlaunched' }
  const status = await files.read('status.json')
  if (isClosed(claim)) {
    // When there is no claim, no supervisor started the server, unless the claim file was damaged.
    if ((await processesOf(files, machine)).length === 0) return lost(files, 'stopped before it was launched')
    return { kind: 'alive', supervisor: undefined, status }
  }
  const supervisor = isIdentity(claim)
    ? (await isAlive(claim, machine.bootId)) && claim
    : await supervisorByMarks(files, machine)
  if (supervisor) return { kind: 'alive', supervisor, status }
  // The supervisor may have written the exit status and ended between the reads of the exit and of the supervisor.
  const late = await exitOf(files)
  if (late !== undefined) return late
  const { bootId } = (isIdentity(claim) ? claim : status?.main) ?? machine
  if (bootId !== machine.bootId) return lost(files, 'machine_restarted')
  if (await isUnwatched(files, status, machine)) {
    await boundOutput(files)
    return { kind: 'alive', supervisor: undefined, status }
  }
  return lost(files, isIdentity(claim) ? 'supervisor_lost' : 'files_damaged')
}

const isClosed = (claim: Claim | 'damaged' | undefined): boolean => typeof claim === 'object' && 'closed' in claim

const isIdentity = (claim: Claim | 'damaged' | undefined): claim is ProcessIdentity =>
  typeof claim === 'object' && !('closed' in claim)

/** Whether a supervisor has run. The files that a supervisor writes after its claim show this. */
async function wasStarted(files: AttemptFiles): Promise<boolean> {
  const marks = await Promise.all((['status.json', 'exit.json'] as const).map((name) => files.writtenAt(name)))
  return marks.some((at) => at !== undefined)
}

/**
 * Returns the supervisor of a server whose claim is lost. The function writes the claim again, so that the next read
 * finds it.
 */
async function supervisorByMarks(files: AttemptFiles, machine: Machine): Promise<ProcessIdentity | undefined> {
  const [found, ...more] = (await machine.scan()).filter((one) => one.isSupervisor && isOf(files, one))
  if (found === undefined) return undefined
  const identity = { bootId: machine.bootId, pid: found.pid, startTime: await startTimeOf(found.pid) }
  if (!(await isAlive(identity, machine.bootId))) return undefined
  // When several supervisors run, only one of them has the claim, and the others are about to end.
  if (more.length === 0) await files.write('claim.json', identity).catch(() => {})
  return identity
}

async function exitOf(files: AttemptFiles): Promise<AttemptState | undefined> {
  const exit = await files.read('exit.json')
  return exit === undefined ? undefined : { kind: 'exited', exit }
}

/**
 * Whether processes of a server without a supervisor are left. The function kills processes that outlive the server's
 * main process, but not during the grace period of a stop.
 */
async function isUnwatched(files: AttemptFiles, status: StartedStatus | undefined, machine: Machine): Promise<boolean> {
  if (status !== undefined && (await isThere(status.main, machine.bootId))) return true
  const left = await processesOf(files, machine)
  // Without a status the main process is unknown: the supervisor was lost before it wrote the status, or the file was
  // lost. Then nothing is killed.
  if (status !== undefined && !(await isInGrace(files))) for (const { pid } of left) sendSignal(pid, 'SIGKILL')
  return left.length > 0
}

/**
 * Whether a stop of the server is in progress. During its grace period, children of the main process may still save
 * data.
 */
async function isInGrace(files: AttemptFiles): Promise<boolean> {
  const [stop, askedAt] = await Promise.all([files.read('stop.json'), files.writtenAt('stop.json')])
  return stop !== undefined && askedAt !== undefined && Date.now() < askedAt + stop.graceMs
}

interface Launch {
  readonly instanceId: string
  readonly attempt: number
}

const isOf = (launch: Launch, { instanceId, attempt }: MarkedProcess): boolean =>
  instanceId === launch.instanceId && attempt === launch.attempt

/** Returns the processes of a game server, without its supervisor. */
export async function processesOf(launch: Launch, machine: Machine): Promise<MarkedProcess[]> {
  return (await machine.scan()).filter((one) => !one.isSupervisor && isOf(launch, one))
}

/**
 * Records the end of the server, so that later reads return the same end. On a full disk each read determines the end
 * again.
 */
async function lost(files: AttemptFiles, reason: string): Promise<AttemptState> {
  const exit = { code: null, signal: null, reason, at: await lastSeen(files) }
  try {
    await files.write('exit.json', exit)
  } catch (error) {
    if (isMissing(error)) return { kind: 'unlaunched' } // the folder was discarded at this moment
  }
  return { kind: 'exited', exit }
}

/** Returns the time of the newest write to any of the attempt's files. */
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

/** Limits the size of the output of a server without a supervisor, so that the output does not fill the disk. */
async function boundOutput(files: AttemptFiles): Promise<void> {
  for (const name of ['stdout', 'stderr']) {
    const size = await stat(files.path(name)).then(
      (found) => found.size,
      () => 0,
    )
    if (size > UNWATCHED_OUTPUT_BYTES) await truncate(files.path(name)).catch(() => {})
  }
}
