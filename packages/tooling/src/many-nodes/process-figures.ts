import { readFileSync } from 'node:fs'

export interface ProcessFigures {
  /** Total bytes that the process has read from sockets, files and pipes. */
  readonly readBytes: number
  /** The highest memory use of the process, in bytes. */
  readonly peakMemory: number
}

/** Returns the figures of a process, read from /proc (Linux only). */
export function figuresOf(pid: number): ProcessFigures {
  const figure = (file: string, name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1] ?? Number.NaN)
  return { readBytes: figure('io', 'rchar'), peakMemory: figure('status', 'VmHWM') * 1024 }
}
