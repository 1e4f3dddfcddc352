import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Child {
  readonly process: ChildProcess
  /** Lines of the process's standard output. */
  readonly lines: AsyncIterable<string>
  /** Resolves when the process has ended and its output was read. */
  readonly ended: Promise<void>
}

/** Starts a program of this folder as another process, from its TypeScript source. */
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
