import { stat, truncate } from 'node:fs/promises'
import type { ServerExit } from '@matchyard/core/ports'
import { isMissing } from '../kit/index'
import type { AttemptFiles } from './attempt-files'
import type { Claim, StartedStatus } from './attempt-records'
import { isAlive, isThere, type MarkedProcess, type ProcessIdentity, sendSignal, startTimeOf } from './proc'

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
 * A server whose supervisor was killed goes on; only its exit status is then lost. A file that cannot be read counts for
 * nothing: what it said is asked of the machine, where every process of an attempt carries it in its environment.
 */
export async function attemptState(files: AttemptFiles, machine: Machine): Promise<AttemptState> {
  const written = await exitOf(files)
  if (written !== undefined) return written
  const claim = await files.look('claim.json')
  if (claim === undefined && !(await wasStarted(files))) return { kind: 'unlaunched' }
  const status = await files.read('status.json')
  if (isClosed(claim)) {
    // Nobody could have started it: unless the claim is not what was written.
    if ((await processesOf(files, machine)).length === 0) return lost(files, 'stopped before it was launched')
    return { kind: 'alive', supervisor: undefined, status }
  }
  const supervisor = isIdentity(claim)
    ? (await isAlive(claim, machine.bootId)) && claim
    : await supervisorByMarks(files, machine)
  if (supervisor) return { kind: 'alive', supervisor, status }
  // It may have written the status between the two looks, and gone.
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

/** Whether a supervisor has been there, by what it writes after its claim. */
async function wasStarted(files: AttemptFiles): Promise<boolean> {
  const marks = await Promise.all((['status.json', 'exit.json'] as const).map((name) => files.writtenAt(name)))
  return marks.some((at) => at !== undefined)
}

/** Whoever stands beside the server without a claim that says so; it gets one again, and is not searched for twice. */
async function supervisorByMarks(files: AttemptFiles, machine: Machine): Promise<ProcessIdentity | undefined> {
  const [found, ...more] = (await machine.scan()).filter((one) => one.isSupervisor && isOf(files, one))
  if (found === undefined) return undefined
  const identity = { bootId: machine.bootId, pid: found.pid, startTime: await startTimeOf(found.pid) }
  if (!(await isAlive(identity, machine.bootId))) return undefined
  // Of several one has the claim and the others are about to end.
  if (more.length === 0) await files.write('claim.json', identity).catch(() => {})
  return identity
}

async function exitOf(files: AttemptFiles): Promise<AttemptState | undefined> {
  const exit = await files.read('exit.json')
  return exit === undefined ? undefined : { kind: 'exited', exit }
}

/** Without a supervisor: the server lives as long as its main process; what outlives that one is ended. */
async function isUnwatched(files: AttemptFiles, status: StartedStatus | undefined, machine: Machine): Promise<boolean> {
  if (status !== undefined && (await isThere(status.main, machine.bootId))) return true
  const left = await processesOf(files, machine)
  // Without a status it is not known which of them is the server: the supervisor was lost before it wrote it, or what it wrote was.
  if (status !== undefined && !(await isInGrace(files))) for (const { pid } of left) sendSignal(pid, 'SIGKILL')
  return left.length > 0
}

/** Whether a stop is under way: until its grace is over, what the main process started may still save. */
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

/** The processes of a game server; its supervisor is not one of them. */
export async function processesOf(launch: Launch, machine: Machine): Promise<MarkedProcess[]> {
  return (await machine.scan()).filter((one) => !one.isSupervisor && isOf(launch, one))
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
