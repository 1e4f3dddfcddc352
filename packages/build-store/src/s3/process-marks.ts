import { readFile } from 'node:fs/promises'

/**
 * Form `<pid>.<start>`. A pid alone is not enough: the system reuses it, and in a container the service has the same
 * pid at every start.
 */
const MARK = /^(\d+)(?:\.(\d+))?$/

/**
 * Returns the mark for the names of this process's files: the pid and the start time. Other processes can see from it
 * whether this process still runs.
 */
export const ownMark = async (): Promise<string> => markOf(process.pid, await startOf(process.pid))

/** Whether a mark belongs to a process that no longer runs. Returns false for a text that is not a mark. */
export async function isOfTheGone(mark: string): Promise<boolean> {
  const [, pid, start] = MARK.exec(mark) ?? []
  if (pid === undefined) return false
  const [own, now] = [await startOf(process.pid), await startOf(Number(pid))]
  if (own === undefined) return !isAlive(Number(pid))
  // A mark without a start and with this process's pid comes from an older release, which is not this process.
  if (start === undefined && Number(pid) === process.pid) return true
  return now === undefined || (start !== undefined && start !== now)
}

const markOf = (pid: number, start: string | undefined) => (start === undefined ? `${pid}` : `${pid}.${start}`)

/**
 * Returns the start of a process in clock ticks since the machine started; undefined without such a process or without
 * /proc.
 */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The program's name, in parentheses, may itself contain spaces and parentheses.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
