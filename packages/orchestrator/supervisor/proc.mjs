// Reads facts about processes from /proc.
import { readdirSync, readFileSync } from 'node:fs'

/** Returns the ids of all processes; an empty list without /proc. */
export function everyPid() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

/**
 * Returns fields 3, 5, 6, 20 and 22 of /proc/pid/stat (proc(5)); undefined when the process or /proc does not exist.
 */
export function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may itself contain spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [state, , group, session] = fields
    return { state, group: Number(group), session: Number(session), threads: Number(fields[17]), startTime: fields[19] }
  } catch {
    return undefined
  }
}

/** Returns the start time in clock ticks since boot; null when the process or /proc does not exist. */
export const startTimeOf = (pid) => statOf(pid)?.startTime ?? null

/** Whether a process still has threads. Until its last thread has ended, its files and ports stay open. */
export function isThere(pid, startTime) {
  const stat = statOf(pid)
  if (stat === undefined || stat.startTime !== startTime) return false
  return stat.state === 'Z' ? stat.threads > 1 : stat.state !== 'X'
}
