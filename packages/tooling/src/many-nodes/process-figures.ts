import { readFileSync } from 'node:fs'

export interface ProcessFigures {
  /** Bytes that the process has read in all, from sockets, files and pipes. */
  readonly readBytes: number
  /** Bytes of memory that it has had at the most. */
  readonly peakMemory: number
}

/** Returns the figures of a process from Linux. */
export function figuresOf(pid: number): ProcessFigures {
  const figure = (file: string, name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1] ?? Number.NaN)
  return { readBytes: figure('io', 'rchar'), peakMemory: figure('status', 'VmHWM') * 1024 }
}
