import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Child {
  readonly process: ChildProcess
  /** Its standard output, line by line. */
  readonly lines: AsyncIterable<string>
  /** Resolves when it has ended and all it wrote has been read. */
  readonly ended: Promise<void>
}

/** Runs a program of this folder as a process of its own, from its sources. */
export function child(program: string, ...args: string[]): Child {
  const file = fileURLToPath(new URL(`./${program}.ts`, import.meta.url))
  const process_ = spawn(
    process.execPath,
    ['--expose-gc', '--conditions=@matchyard/source', '--import', 'tsx', file, ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = new Promise<void>((resolve) => process_.once('close', () => resolve()))
  return { process: process_, lines: createInterface({ input: process_.stdout }), ended }
}
