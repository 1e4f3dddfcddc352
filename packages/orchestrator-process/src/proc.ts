import { readdir, readFile } from 'node:fs/promises'

/** Boot, pid and start time: no other process ever has the same three. Null where the machine does not tell. */
export interface ProcessIdentity {
  readonly bootId: string | null
  readonly pid: number
  readonly startTime: string | null
}

export const IS_LINUX = process.platform === 'linux'

const orUndefined = (reading: Promise<string>) => reading.catch(() => undefined)

/** Whether this very process still runs. A zombie does not: unless only its first thread has ended, and others hold all it has open. */
export async function isAlive(identity: ProcessIdentity, bootId: string | null): Promise<boolean> {
  if (identity.bootId !== bootId) return false
  return identity.startTime === null ? canBeSignalled(identity.pid) : stillRuns(identity.pid, identity.startTime)
}

async function stillRuns(pid: number, startTime: string): Promise<boolean> {
  const stat = await statOf(pid)
  if (stat === undefined || stat.startTime !== startTime) return false
  return stat.state === 'Z' ? stat.threads > 1 : stat.state !== 'X'
}

/** In clock ticks since boot; null where there is no such process or no /proc. */
export const startTimeOf = async (pid: number): Promise<string | null> => (await statOf(pid))?.startTime ?? null

interface Stat {
  readonly state: string | undefined
  readonly threads: number
  readonly startTime: string | undefined
}

async function statOf(pid: number): Promise<Stat | undefined> {
  const text = await orUndefined(readFile(`/proc/${pid}/stat`, 'utf8'))
  if (text === undefined) return undefined
  // The name in parentheses may hold spaces and parentheses itself.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0], threads: Number(fields[17]), startTime: fields[19] }
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
}

/** The processes whose environment says that they belong to a game server of one installation. None where there is no /proc. */
export class MarkedProcesses {
  // One that ends loses its environment first, then its memory (a gigabyte takes the kernel a tenth of a second), and
  // only then its ports: until it is gone it is known by what was read before.
  private known: ReadonlyMap<number, Known> = new Map()

  constructor(private readonly installationId: string) {}

  async scan(): Promise<MarkedProcess[]> {
    const names = IS_LINUX ? await readdir('/proc').catch(() => []) : []
    const pids = names.filter((name) => /^\d+$/.test(name)).map(Number)
    const found = (await Promise.all(pids.map((pid) => this.look(pid)))).filter((one) => one !== undefined)
    this.known = new Map(found.map((one) => [one.marked.pid, one]))
    return found.map(({ marked }) => marked)
  }

  private async look(pid: number): Promise<Known | undefined> {
    const known = this.known.get(pid)
    const marked = await readMarks(pid, this.installationId)
    if (marked !== undefined) return { marked, startTime: known?.startTime ?? (await startTimeOf(pid)) }
    if (known === undefined || known.startTime === null) return undefined
    return (await stillRuns(pid, known.startTime)) ? known : undefined
  }
}

interface Known {
  readonly marked: MarkedProcess
  readonly startTime: string | null
}

async function readMarks(pid: number, installationId: string): Promise<MarkedProcess | undefined> {
  // Unreadable: of another user, so not ours, or gone by now.
  const text = await orUndefined(readFile(`/proc/${pid}/environ`, 'utf8'))
  if (text === undefined || !text.includes('MATCHYARD_INSTALLATION=')) return undefined
  const environment = new Map(
    text.split('\0').map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  )
  if (environment.get('MATCHYARD_INSTALLATION') !== installationId) return undefined
  const instanceId = environment.get('MATCHYARD_INSTANCE_ID')
  const attempt = Number(environment.get('MATCHYARD_ATTEMPT'))
  if (instanceId === undefined || !Number.isInteger(attempt)) return undefined
  return { pid, instanceId, attempt, isSupervisor: environment.get('MATCHYARD_ROLE') === 'supervisor' }
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
