import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { eventually } from '../eventually'

/** A program that reads commands as lines on its standard input and writes answers as lines on its standard output. */
export class TalkingProgram {
  readonly said: string[] = []
  private readonly child: ChildProcess
  private readonly exited: Promise<number | null>
  private complaints = ''

  constructor(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    this.child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env })
    this.exited = new Promise((resolve) => this.child.once('close', resolve))
    if (this.child.stdout !== null) createInterface(this.child.stdout).on('line', (line) => this.said.push(line))
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.complaints += chunk.toString()
    })
    // Errors of the input are ignored: when the program ends early, the test notices that its output is missing.
    this.child.stdin?.on('error', () => {})
  }

  /** Waits up to 60 s for a line that matches `fits`; lines that the program wrote before the call count too. */
  async hears(fits: RegExp, from = 0): Promise<RegExpExecArray> {
    const find = () =>
      this.said
        .slice(from)
        .map((line) => fits.exec(line))
        .find((match) => match !== null)
    const seen = () => find() ?? { said: this.said, complaints: this.complaints, ended: this.child.exitCode }
    const found = await eventually(seen, () => find() !== undefined, 60_000)
    return found as RegExpExecArray
  }

  /** Writes a line, and returns the first matching line after it. */
  async ask(line: string, fits: RegExp): Promise<RegExpExecArray> {
    const from = this.said.length
    this.write(line)
    return this.hears(fits, from)
  }

  write(line: string): void {
    this.child.stdin?.write(`${line}\n`)
  }

  /** Closes the standard input and waits for the exit. Returns the exit code. */
  async end(): Promise<number | null> {
    this.child.stdin?.end()
    return this.exited
  }

  kill(): void {
    if (this.child.exitCode === null) this.child.kill('SIGKILL')
  }
}
