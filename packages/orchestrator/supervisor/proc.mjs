// What the kernel tells of processes.
import { readdirSync, readFileSync } from 'node:fs'

/** Every process there is; none where there is no /proc. */
export function everyPid() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

/** proc(5), /proc/pid/stat: fields 3, 5, 6, 20 and 22. undefined where there is no such process or no /proc. */
export function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold spaces and parentheses itself.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [state, , group, session] = fields
    return { state, group: Number(group), session: Number(session), threads: Number(fields[17]), startTime: fields[19] }
  } catch {
    return undefined
  }
}

/** In clock ticks since boot; null where there is no such process or no /proc. */
export const startTimeOf = (pid) => statOf(pid)?.startTime ?? null

/** Whether anything of it is left: while one of its threads runs, or ends, all is open that it had open. */
export function isThere(pid, startTime) {
  const stat = statOf(pid)
  if (stat === undefined || stat.startTime !== startTime) return false
  return stat.state === 'Z' ? stat.threads > 1 : stat.state !== 'X'
}
