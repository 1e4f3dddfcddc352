import { readdirSync, readFileSync } from 'node:fs'

/** Of the clock by which the system counts: 100 a second on Linux. */
const TICK_MS = 10

/** Milliseconds of the processor that a process has used, and those of its children that have ended. */
export function used(pid: number): number {
  const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0)
}

export const usedBy = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + used(pid), 0)

/** The process of this name with a folder on its line, which the address of its socket names, and its children. */
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

/** Empty of what is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
