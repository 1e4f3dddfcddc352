import { execFile, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { compile } from '@matchyard/tooling/mono'
import { SAMPLE_VARIABLES } from '../../../src/openapi/samples'

export type Variables = Readonly<Partial<Record<(typeof SAMPLE_VARIABLES)[number], string>>>

/** Samples of one language, ready to run. */
export interface Samples {
  /** Runs one sample with only these environment variables. Resolves to its output; rejects when the sample fails. */
  run(operation: string, variables: Variables): Promise<string>
  close(): void
}

/** Samples as they stand in the document, by operation. */
type Sources = ReadonlyMap<string, string>

const execute = promisify(execFile)
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const nameOf = (operation: string) => operation.replaceAll('.', '_')

/** Returns the curl samples, each of which runs in a shell of its own. */
export async function curlSamples(sources: Sources, folder: string): Promise<Samples> {
  return {
    async run(operation, variables) {
      const env = { PATH: process.env.PATH, ...variables }
      const source = sources.get(operation) ?? 'exit 1'
      return (await execute('sh', ['-c', source], { cwd: folder, env })).stdout
    },
    close() {},
  }
}

/** Returns the JavaScript samples, which all run in one Node process, each as a module. */
export async function javascriptSamples(sources: Sources, folder: string): Promise<Samples> {
  for (const [operation, source] of sources) await writeFile(join(folder, `${nameOf(operation)}.mjs`), source)
  return lineByLine(process.execPath, [here('runner.mjs')], folder)
}

/** Returns the C# samples, which are compiled to one assembly. Each is a file with its own `using` directives. */
export async function csharpSamples(sources: Sources, folder: string): Promise<Samples> {
  const files = [here('Runner.cs')]
  for (const [operation, source] of sources) {
    const lines = source.split('\n')
    const first = lines.findIndex((line) => !line.startsWith('using '))
    const method = `public static async System.Threading.Tasks.Task ${nameOf(operation)}()`
    const body = [method, '{', ...lines.slice(first), '}']
    const file = join(folder, `${nameOf(operation)}.cs`)
    await writeFile(file, [...lines.slice(0, first), 'static partial class Samples', '{', ...body, '}'].join('\n'))
    files.push(file)
  }
  const program = join(folder, 'samples.exe')
  await compile({ to: program, sources: files })
  return lineByLine('mono', [program], folder)
}

/** Starts a program that reads one operation per line, and writes one line with the result of each. */
function lineByLine(program: string, args: readonly string[], folder: string): Samples {
  const child = spawn(program, args, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async run(operation, variables) {
      const pairs = SAMPLE_VARIABLES.map((name) => `${name}=${variables[name] ?? ''}`)
      child.stdin.write(`${[nameOf(operation), ...pairs].join('\t')}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error(`${program} ended`)
      const [word, printed = ''] = String(value).split(' ')
      const text = Buffer.from(printed, 'base64').toString('utf8')
      if (word !== 'ok') throw new Error(text)
      return text
    },
    close: () => child.stdin.end(),
  }
}
