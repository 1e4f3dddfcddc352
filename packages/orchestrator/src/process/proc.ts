import { readdir, readFile } from 'node:fs/promises'
import { isMachineTrouble, readAtMost } from '../kit/index'

/** Boot, pid and start time: no other process ever has the same three. Null where the machine does not tell. */
export interface ProcessIdentity {
  readonly bootId: string | null
  readonly pid: number
  readonly startTime: string | null
}

export const IS_LINUX = process.platform === 'linux'

/** Of a flag in `stat` (linux/sched.h, PF_EXITING): it has begun to end, for good. */
const EXITING = 0x4

/** What stands for a reading that says of one process that there is nothing. Throws what says nothing of it: that the machine is out of file handles, or of memory. */
const otherwise =
  <T>(nothing: T) =>
  (error: unknown): T => {
    if (isMachineTrouble(error)) throw error
    return nothing
  }

/** Of an environment so much is looked at; the service's own marks come long before. A process may give itself one of six megabytes, and start many others with it. */
export const ENVIRON_BYTES = 128 * 1024

/** undefined where it is gone, or another user's. */
const statTextOf = (pid: number): Promise<string | undefined> =>
  readFile(`/proc/${pid}/stat`, 'utf8').catch(otherwise(undefined))

const environmentOf = async (pid: number): Promise<string | undefined> =>
  (await readAtMost(`/proc/${pid}/environ`, ENVIRON_BYTES).catch(otherwise(undefined)))?.toString('utf8')

/** Whether this very process still works: one that has begun to end, or whose first thread has ended, does nothing for anybody. */
export const isAlive = (identity: ProcessIdentity, bootId: string | null): Promise<boolean> =>
  holdsOf(identity, bootId, (stat) => !isOver(stat) && !isEnding(stat))

/** Whether anything of it is left: while one of its threads runs, or ends, all is open that it had open. */
export const isThere = (identity: ProcessIdentity, bootId: string | null): Promise<boolean> =>
  holdsOf(identity, bootId, (stat) => !isOver(stat) || isEnding(stat))

/** Of this very process; where the machine tells no more, whether there is one. */
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

/** In clock ticks since boot; null where there is no such process or no /proc. */
export const startTimeOf = async (pid: number): Promise<string | null> => (await readStat(pid))?.startTime ?? null

/** proc(5), /proc/pid/stat: fields 3, 9, 20 and 22. */
interface Stat {
  readonly state: string | undefined
  readonly flags: number
  readonly threads: number
  readonly startTime: string | undefined
}

const isOver = ({ state }: Stat): boolean => state === 'Z' || state === 'X'
/** It has begun to, or its first thread has ended and others have not. */
const isEnding = (stat: Stat): boolean =>
  isOver(stat) ? stat.state === 'Z' && stat.threads > 1 : (stat.flags & EXITING) !== 0

async function readStat(pid: number): Promise<Stat | undefined> {
  const text = await statTextOf(pid)
  if (text === undefined) return undefined
  // The name in parentheses may hold spaces and parentheses itself.
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
  /** It stands beside the game server, and is no part of it. */
  readonly isSupervisor: boolean
  /** It has begun to end, and has not yet let go of all that it had open. */
  readonly isEnding: boolean
}

interface Known {
  readonly marked: MarkedProcess
  readonly startTime: string
}

/** The processes whose environment says that they belong to a game server of one installation. None where there is no /proc. One look at a time. */
export class MarkedProcesses {
  // One that ends loses its environment first, then its memory (a gigabyte takes the kernel a tenth of a second), and
  // only then its ports: until it is gone it is known by what was read before.
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
      // What it says of itself no more, and does not end, is what it has made of itself since.
      if (marked === undefined && !isEnding(stat)) return undefined
      return { marked: { ...(marked ?? known.marked), isEnding: isEnding(stat) }, startTime }
    }
    // Between the two readings its number may have become another's.
    const surely = await readMarks(pid, this.installationId)
    return surely && { marked: surely, startTime }
  }
}

async function readMarks(pid: number, installationId: string): Promise<MarkedProcess | undefined> {
  // Unreadable: of another user, so not ours, or gone by now.
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

/** False when there was nothing to signal. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}
