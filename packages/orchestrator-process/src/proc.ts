import { readdir, readFile } from 'node:fs/promises'

/** Boot, pid and start time: no other process ever has the same three. Null where the machine does not tell. */
export interface ProcessIdentity {
  readonly bootId: string | null
  readonly pid: number
  readonly startTime: string | null
}

export const IS_LINUX = process.platform === 'linux'

const orUndefined = (reading: Promise<string>) => reading.catch(() => undefined)

/** Whether this very process still runs; a zombie does not. */
export async function isAlive(identity: ProcessIdentity, bootId: string | null): Promise<boolean> {
  if (identity.bootId !== bootId) return false
  if (identity.startTime === null) return canBeSignalled(identity.pid)
  const fields = await statFields(identity.pid)
  return fields !== undefined && fields[0] !== 'Z' && fields[0] !== 'X' && fields[19] === identity.startTime
}

/** In clock ticks since boot; null where there is no such process or no /proc. */
export const startTimeOf = async (pid: number): Promise<string | null> => (await statFields(pid))?.[19] ?? null

async function statFields(pid: number): Promise<string[] | undefined> {
  const stat = await orUndefined(readFile(`/proc/${pid}/stat`, 'utf8'))
  // The name in parentheses may hold spaces and parentheses itself.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
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

/** Every process whose environment says that it belongs to a game server of `installationId`. Empty where there is no /proc. */
export async function scanProcesses(installationId: string): Promise<MarkedProcess[]> {
  const names = IS_LINUX ? await readdir('/proc').catch(() => []) : []
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(pids.map((pid) => readMarks(pid, installationId)))
  return found.filter((marked) => marked !== undefined)
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
