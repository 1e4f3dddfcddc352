import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Place } from '../many-nodes/node-process'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const PROGRAM = ['--conditions=@matchyard/source', '--import', 'tsx']
/** Maximum number of characters of a program's output. */
const MAX_OUTPUT = 1 << 23

/** Starts a program of this workspace in the network of another machine. */
export function startIn(place: Place, file: string, env: NodeJS.ProcessEnv = process.env) {
  const [command = '', ...args] = [...place.within, process.execPath, ...PROGRAM, file]
  return spawn(command, args, { cwd: ROOT, env, stdio: ['pipe', 'pipe', 'pipe'] })
}

/**
 * Runs a program of this folder in the network of another machine. The program gets the input as JSON on its standard
 * input, and prints its result as JSON. Rejects with the program's errors if it fails.
 */
export async function runIn<Result>(place: Place, program: 'calls.ts' | 'player.ts', input: unknown): Promise<Result> {
  const child = startIn(place, fileURLToPath(new URL(program, import.meta.url)))
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(0, MAX_OUTPUT)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-MAX_OUTPUT)
  })
  child.stdin.end(JSON.stringify(input))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${program} ended with code ${code}: ${errors}`)
  return JSON.parse(output) as Result
}
