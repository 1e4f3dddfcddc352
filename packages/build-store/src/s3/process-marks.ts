import { readFile } from 'node:fs/promises'

/** `<pid>.<start>`: a pid alone is given out again, and in a container the service's is the same at every start. */
const MARK = /^(\d+)(?:\.(\d+))?$/

/** What the names of this process's files hold, so that others can tell whether it still runs. */
export const ownMark = async (): Promise<string> => markOf(process.pid, await startOf(process.pid))

/** Whether a mark is of a process that is gone. What is no mark is nobody's. */
export async function isOfTheGone(mark: string): Promise<boolean> {
  const [, pid, start] = MARK.exec(mark) ?? []
  if (pid === undefined) return false
  const [own, now] = [await startOf(process.pid), await startOf(Number(pid))]
  if (own === undefined) return !isAlive(Number(pid))
  // One without a start was left by an older release, which this process is not.
  if (start === undefined && Number(pid) === process.pid) return true
  return now === undefined || (start !== undefined && start !== now)
}

const markOf = (pid: number, start: string | undefined) => (start === undefined ? `${pid}` : `${pid}.${start}`)

/** In clock ticks since the machine came up; undefined where there is no such process, or no /proc. */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name in parentheses may hold spaces and parentheses itself.
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
