import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The oldest version of C# that the Unity package supports. */
export const LANGUAGE = '7'

/** Returns the reason why C# cannot be compiled and run here; undefined when it can. */
export function monoMissing(): string | undefined {
  for (const program of ['mcs', 'mono']) {
    const { status } = spawnSync(program, ['--version'])
    if (status !== 0) return `no ${program}`
  }
  return canCompileHttp() ? undefined : 'no System.Net.Http for mono'
}

/** Whether System.Net.Http is installed; on Debian it is a separate package. */
function canCompileHttp(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'matchyard-mono-'))
  try {
    const source = join(folder, 'empty.cs')
    writeFileSync(source, '')
    const args = ['-target:library', '-reference:System.Net.Http.dll', `-out:${join(folder, 'empty.dll')}`, source]
    return spawnSync('mcs', args).status === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the paths of all C# files below a folder. */
export const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.cs'))
    .map((name) => join(folder, name))
    .sort()

export interface Compiling {
  readonly to: string
  readonly sources: readonly string[]
  readonly symbols?: readonly string[]
  /** Path to which the compiler writes the XML documentation. If it is set, each public member must be documented. */
  readonly documentation?: string
}

/** Compiles C# sources with the oldest supported C# version; each warning is an error. */
export async function compile({ to, sources, symbols = [], documentation }: Compiling): Promise<void> {
  const target = to.endsWith('.dll') ? ['-target:library'] : []
  const symbolArguments = symbols.map((symbol) => `-define:${symbol}`)
  const doc = documentation === undefined ? [] : [`-doc:${documentation}`]
  const options = [`-langversion:${LANGUAGE}`, '-warnaserror', '-reference:System.Net.Http.dll', `-out:${to}`]
  try {
    await run('mcs', [...options, ...target, ...symbolArguments, ...doc, ...sources])
  } catch (error) {
    throw new Error(`the C# does not compile:\n${(error as { stderr: string }).stderr}`)
  }
}
