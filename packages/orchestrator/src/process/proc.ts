import { readdir, readFile } from 'node:fs/promises'
import { isMachineTrouble, readAtMost } from '../kit/index'

/**
 * Identity of a process: boot id, process id and start time. No other process has the same three values. Null for
 * values that the machine does not provide.
 */
export interface ProcessIdentity {
  readonly bootId: string | null
  readonly pid: number
  readonly startTime: string | null
}

export const IS_LINUX = process.platform === 'linux'

/** Flag in `stat` (linux/sched.h, PF_EXITING) of a process that has begun to end. */
const EXITING = 0x4

/**
 * Returns a handler that returns a substitute when a read fails because the process no longer exists or belongs to
 * another user. The handler throws other errors (no file handles, no memory), because they say nothing about the
 * process.
 */
const otherwise =
  <T>(nothing: T) =>
  (error: unknown): T => {
    if (isMachineTrouble(error)) throw error
    return nothing
  }

/**
 * Bytes of an environment that are read; the variables of the service come long before this limit. A process may give
 * itself an environment of six megabytes, and start many other processes with it.
 */
export const ENVIRON_BYTES = 128 * 1024

/** Returns the text of `stat`; undefined for a process that no longer exists or belongs to another user. */
const statTextOf = (pid: number): Promise<string | undefined> =>
  readFile(`/proc/${pid}/stat`, 'utf8').catch(otherwise(undefined))

const environmentOf = async (pid: number): Promise<string | undefined> =>
  (await readAtMost(`/proc/${pid}/environ`, ENVIRON_BYTES).catch(otherwise(undefined)))?.toString('utf8')

/**
 * Whether exactly this process still runs. False when the process has begun to end or its first thread has ended.
 */
export const isAlive = (identity: ProcessIdentity, bootId: string | null): Promise<boolean> =>
  holdsOf(identity, bootId, (stat) => !isOver(stat) && !isEnding(stat))

/**
 * Whether at least one thread of the process is left. The files and ports of a process stay open while one of its
 * threads runs or ends.
 */
export const isThere = (identity: ProcessIdentity, bootId: string | null): Promise<boolean> =>
  holdsOf(identity, bootId, (stat) => !isOver(stat) || isEnding(stat))

/**
 * Whether a condition holds for exactly this process; on a machine without /proc, whether a process with this id
 * exists.
 */
async function holdsOf(
  { bootId, pid, startTime }: ProcessIdentity,
  now: string | null,
  holds: (stat: Stat) => boolean,
): Promise<boolean> {
  if (bootId !== now) return false
  if (startTime === null) return canBeSignalled(pid)
  const stat = await readStat(pid)
  return stat?.startTime === startTime && holds(stat)
}

/**
 * Returns the start time in clock ticks since boot; null when the process does not exist or the machine has no /proc.
 */
export const startTimeOf = async (pid: number): Promise<string | null> => (await readStat(pid))?.startTime ?? null

/** Fields 3, 9, 20 and 22 of /proc/pid/stat; see proc(5). */
interface Stat {
  readonly state: string | undefined
  readonly flags: number
  readonly threads: number
  readonly startTime: string | undefined
}

const isOver = ({ state }: Stat): boolean => state === 'Z' || state === 'X'
/** Whether the process has begun to end, or its first thread has ended before others. */
const isEnding = (stat: Stat): boolean =>
  isOver(stat) ? stat.state === 'Z' && stat.threads > 1 : (stat.flags & EXITING) !== 0

async function readStat(pid: number): Promise<Stat | undefined> {
  const text = await statTextOf(pid)
  if (text === undefined) return undefined
  // The name in parentheses may itself contain spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0], flags: Number(fields[6]), threads: Number(fields[17]), startTime: fields[19] }
}

function canBeSignalled(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export interface MarkedProcess {
  readonly pid: number
  readonly instanceId: string
  readonly attempt: number
  /** Whether the process is the supervisor, which is not part of the game server. */
  readonly isSupervisor: boolean
  /** Whether the process has begun to end and may still hold open files and ports. */
  readonly isEnding: boolean
}

interface Known {
  readonly marked: MarkedProcess
  readonly startTime: string
}

/**
 * Finds the processes that belong to game servers of one installation, by variables (marks) in their environment; no
 * processes without /proc. Only one scan runs at a time.
 */
export class MarkedProcesses {
  // By process: the marks that an earlier scan read. An ending process loses its environment first, then its memory (a
  // gigabyte takes a tenth of a second), and its ports last. Until the process no longer exists, the earlier marks
  // count.
  private known: ReadonlyMap<number, Known> = new Map()

  constructor(private readonly installationId: string) {}

  async scan(): Promise<MarkedProcess[]> {
    const names = IS_LINUX ? await readdir('/proc').catch(otherwise([])) : []
    const pids = names.filter((name) => /^\d+$/.test(name)).map(Number)
    const found = (await Promise.all(pids.map((pid) => this.look(pid)))).filter((one) => one !== undefined)
    this.known = new Map(found.map((one) => [one.marked.pid, one]))
    return found.map(({ marked }) => marked)
  }

  private async look(pid: number): Promise<Known | undefined> {
    const known = this.known.get(pid)
    const marked = await readMarks(pid, this.installationId)
    const stat = marked === undefined && known === undefined ? undefined : await readStat(pid)
    if (stat?.startTime === undefined) return undefined
    const { startTime } = stat
    if (known?.startTime === startTime) {
      // A running process whose environment has no marks has removed them itself.
      if (marked === undefined && !isEnding(stat)) return undefined
      return { marked: { ...(marked ?? known.marked), isEnding: isEnding(stat) }, startTime }
    }
    // The process id may have been reused between the two reads.
    const surely = await readMarks(pid, this.installationId)
    return surely && { marked: surely, startTime }
  }
}

async function readMarks(pid: number, installationId: string): Promise<MarkedProcess | undefined> {
  // If the environment cannot be read, the process belongs to another user or no longer exists.
  const text = await environmentOf(pid)
  if (text === undefined || !text.includes('MATCHYARD_INSTALLATION=')) return undefined
  const environment = new Map(
    text.split('\0').map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  )
  if (environment.get('MATCHYARD_INSTALLATION') !== installationId) return undefined
  const instanceId = environment.get('MATCHYARD_INSTANCE_ID')
  const attempt = Number(environment.get('MATCHYARD_ATTEMPT'))
  if (instanceId === undefined || !Number.isInteger(attempt)) return undefined
  const isSupervisor = environment.get('MATCHYARD_ROLE') === 'supervisor'
  return { pid, instanceId, attempt, isSupervisor, isEnding: false }
}

/** Sends a signal; returns false when no such process exists. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}
