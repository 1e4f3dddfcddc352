import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGES = fileURLToPath(new URL('../../../', import.meta.url))
const COMMAND = join(PACKAGES, 'server', 'dist', 'cli.js')

/**
 * Replacements for commands that use packages from a registry: `matchyard` and `npm install @matchyard/…` use the
 * packages of this source tree.
 */
const PROGRAMS = {
  matchyard: `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`,
  npm: `#!/bin/sh
case "$*" in
"install --global @matchyard/server") exit 0 ;;
"install @matchyard/client") mkdir -p node_modules/@matchyard && ln -s '${join(PACKAGES, 'client')}' node_modules/@matchyard/client ;;
*) echo "npm $*: not known to this test" >&2; exit 1 ;;
esac
`,
}

/** A shell in which a test runs the code blocks of a document one after another, as a reader would do. */
export class Terminal {
  private readonly shell: ChildProcess
  private readonly folder: string
  private output = ''
  private pasted = 0
  private heard = () => {}

  /** Starts the shell in `folder`, which the constructor creates. */
  constructor(folder: string, env: Readonly<Record<string, string>> = {}) {
    this.folder = folder
    const programs = join(folder, '.programs')
    mkdirSync(programs, { recursive: true })
    for (const [name, text] of Object.entries(PROGRAMS)) writeFileSync(join(programs, name), text, { mode: 0o755 })
    const { PATH = '', HOME = '', TMPDIR } = process.env
    this.shell = spawn('bash', ['--norc', '--noprofile'], {
      cwd: folder,
      // The machine's own configuration must not influence a test. With a separate process group, background processes
      // can be ended together with the shell.
      env: { PATH: `${programs}:${PATH}`, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    })
    for (const stream of [this.shell.stdout, this.shell.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk
        this.heard()
      })
    }
    this.shell.once('exit', () => this.heard())
    // As at a prompt, a failed line does not end the shell; but the shell reports the failure.
    this.shell.stdin?.write('shopt -s expand_aliases\nset -E\ntrap \'echo "__failed: $BASH_COMMAND" >&2\' ERR\n')
  }

  /**
   * Enters a block and waits until the shell has run it. Returns the output; rejects when a line of the block failed.
   */
  async paste(block: string): Promise<string> {
    const from = this.output.length
    const file = join(this.folder, '.programs', `block-${++this.pasted}`)
    writeFileSync(file, block)
    const end = `__pasted ${this.pasted}`
    this.shell.stdin?.write(`. '${file}' < /dev/null\necho; echo '${end}'; echo '${end}' >&2\n`)
    await new Promise<void>((resolve, reject) => {
      this.heard = () => {
        if (this.output.slice(from).split(end).length === 3) resolve()
        else if (this.shell.exitCode !== null) reject(new Error(`the shell ended:\n${this.output.slice(from)}`))
      }
      this.heard()
    })
    const printed = this.output.slice(from).replaceAll(end, '')
    if (printed.includes('__failed: ')) throw new Error(`a line failed of\n${block}\n${printed}`)
    return printed
  }

  /** Ends the shell, and interrupts its background processes as Ctrl-C does. */
  async end(): Promise<void> {
    if (this.shell.exitCode !== null) return
    const exited = new Promise((resolve) => this.shell.once('exit', resolve))
    this.shell.stdin?.end('trap - ERR; kill -INT $(jobs -p) 2>/dev/null; wait\n')
    await exited
  }
}
