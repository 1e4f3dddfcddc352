import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds per tick of the CPU time clock: 100 ticks per second on Linux. */
const TICK_MS = 10

/** Returns the CPU milliseconds used by a process and by its ended children. */
export function used(pid: number): number {
  const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0)
}

export const usedBy = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + used(pid), 0)

/**
 * Returns the pids of a server process and its children. The process has this program name, and its command line
 * contains the folder that the URL's `host` parameter names.
 */
export function pidsOf(name: string, url: string): number[] {
  const folder = new URL(url).searchParams.get('host') ?? ''
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  const [main] = pids.filter((pid) => {
    const line = read(`/proc/${pid}/cmdline`)
    return line.includes(folder) && new RegExp(`^[^\\0]*${name}\\0`).test(line)
  })
  const children = main === undefined ? [] : read(`/proc/${main}/task/${main}/children`).split(' ')
  return main === undefined ? [] : [main, ...children.filter((pid) => pid !== '').map(Number)]
}

/** Returns the content of a file; empty when the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
