import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Credentials } from '@matchyard/example-demo'

const COMMAND = fileURLToPath(new URL('../../server/dist/cli.js', import.meta.url))

/** Credentials that `matchyard dev` writes into its data folder. */
export interface DevCredentials extends Credentials {
  readonly email: string
  readonly password: string
  readonly project_id: string
}

/** How `ServiceProcess` starts the command. */
interface Start {
  /** Command that starts the command after it, for example in another network. Default: none. */
  readonly within?: readonly string[]
  /** Further options of `matchyard dev`. */
  readonly options?: readonly string[]
}

/** A separate process that runs `matchyard dev`. */
export class ServiceProcess {
  private constructor(
    private readonly process: ChildProcess,
    readonly credentials: DevCredentials,
    /** Link from the output of the service. It signs in one browser, once. */
    readonly consoleLink: string,
    private readonly exited: Promise<void>,
  ) {}

  /** Starts the service on a data folder. Resolves when the service reports that it accepts calls. */
  static async start(
    directory: string,
    port: number,
    { within = [], options = [] }: Start = {},
  ): Promise<ServiceProcess> {
    if (!existsSync(COMMAND)) throw new Error('the command is not built; run npm run build first')
    const dev = [process.execPath, COMMAND, 'dev', '--port', String(port), '--data', directory, ...options]
    const [command = process.execPath, ...args] = [...within, ...dev]
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    let output = ''
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (/Matchyard is up[\s\S]*Ctrl-C/.test(output)) resolve()
      })
      child.once('exit', (code) => reject(new Error(`the service ended with code ${code}: ${output}`)))
    })
    const credentials = JSON.parse(readFileSync(join(directory, 'credentials.json'), 'utf8')) as DevCredentials
    const link = /Console: (\S+)/.exec(output)?.[1] ?? ''
    return new ServiceProcess(child, credentials, link, exited)
  }

  async end(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<void> {
    this.process.kill(signal)
    await this.exited
  }
}

/** Runs the command `matchyard` on the data folder of a service. Resolves to the output. */
export async function runCommand(args: readonly string[], directory: string): Promise<string> {
  const env = { ...process.env, MATCHYARD_DATA: directory }
  return (await promisify(execFile)(process.execPath, [COMMAND, ...args], { env })).stdout
}
