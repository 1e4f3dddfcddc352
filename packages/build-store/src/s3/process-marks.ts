import { readFile } from 'node:fs/promises'

/**
 * Form of a process mark: `<pid>.<start>`. A process id alone does not identify a process: the system reuses ids, and
 * in a container the service has the same id at every start.
 */
const MARK = /^(\d+)(?:\.(\d+))?$/

/**
 * Returns the mark of this process, which is part of the names of its files: the process id and the start time. From
 * the mark, other processes can find out whether this process still runs.
 */
export const ownMark = async (): Promise<string> => markOf(process.pid, await startOf(process.pid))

/** Whether a mark belongs to a process that no longer runs. Returns false for a text that is not a mark. */
export async function isOfTheGone(mark: string): Promise<boolean> {
  const [, pid, start] = MARK.exec(mark) ?? []
  if (pid === undefined) return false
  const [own, now] = [await startOf(process.pid), await startOf(Number(pid))]
  if (own === undefined) return !isAlive(Number(pid))
  // A mark without a start time was written by an earlier release. If it has the id of this process, its process has
  // ended.
  if (start === undefined && Number(pid) === process.pid) return true
  return now === undefined || (start !== undefined && start !== now)
}

const markOf = (pid: number, start: string | undefined) => (start === undefined ? `${pid}` : `${pid}.${start}`)

/**
 * Returns the start time of a process in clock ticks since the machine started; undefined when the process does not
 * exist or the machine has no /proc.
 */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The program's name, which is in parentheses, may contain spaces and parentheses.
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
