import { type Debugger, type Profiler, Session } from 'node:inspector'
import { SourceMap } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SOURCES = /^file:.*\/packages\/[^/]+\/src\/.*\.ts$/

/** The lines of one file's functions that ran while a call was recorded. */
export interface RanFile {
  /** From the root of the repository. */
  readonly path: string
  /** Ascending; the first line of a file is 1. */
  readonly lines: readonly number[]
}

/**
 * Records which functions of TypeScript sources run, by V8's precise coverage and the source maps that tsx adds to what it loads. A source
 * must be loaded after `start`.
 */
export class Recorder {
  private readonly session = new Session()
  private readonly maps = new Map<string, string>()

  async start(): Promise<void> {
    this.session.connect()
    this.session.on('Debugger.scriptParsed', ({ params }) => this.note(params))
    await this.post('Debugger.enable')
    await this.post('Profiler.enable')
    await this.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  /** Runs a call; resolves with the source files of packages of which a function ran in it, by path. */
  async record(call: () => Promise<void>): Promise<RanFile[]> {
    await this.post('Profiler.takePreciseCoverage')
    await call()
    const { result } = await this.post<Profiler.TakePreciseCoverageReturnType>('Profiler.takePreciseCoverage')
    const files: RanFile[] = []
    for (const { scriptId, url, functions } of result) {
      const map = this.maps.get(scriptId)
      if (map === undefined) continue
      const { scriptSource } = await this.post<Debugger.GetScriptSourceReturnType>('Debugger.getScriptSource', {
        scriptId,
      })
      const lines = linesOf(scriptSource, functions, new SourceMap(JSON.parse(map)))
      if (lines.length > 0) files.push({ path: relative(ROOT, fileURLToPath(url)), lines })
    }
    return files.sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  private note({ scriptId, url, sourceMapURL = '' }: Debugger.ScriptParsedEventDataType): void {
    if (!SOURCES.test(url)) return
    const [, map = ''] = sourceMapURL.split('base64,')
    this.maps.set(scriptId, Buffer.from(map, 'base64').toString())
  }

  private post<T>(method: string, parameters: object = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      this.session.post(method, parameters, (error: Error | null, answer?: object) =>
        error === null ? resolve(answer as T) : reject(error),
      )
    })
  }
}

/**
 * Returns the lines of the source that hold code of a function that ran. Comments, types and empty lines are not in the script, so none of
 * them counts; neither does a function inside that did not run.
 */
function linesOf(script: string, functions: readonly Profiler.FunctionCoverage[], map: SourceMap): number[] {
  const ran = ranOf(script.length, functions)
  const lines = new Set<number>()
  let offset = 0
  for (const [row, text] of script.split('\n').entries()) {
    for (let column = 0; column <= text.length; column++, offset++) {
      if (ran[offset] !== true) continue
      const entry = map.findEntry(row, column)
      if (!('originalLine' in entry)) continue
      if (entry.generatedLine === row && entry.generatedColumn === column) lines.add(entry.originalLine + 1)
    }
  }
  return [...lines].sort((a, b) => a - b)
}

/**
 * Returns for each character of a script whether its innermost function ran. A function that began before and went on has a count of zero
 * and blocks that ran. Blocks are looked at for nothing else: after a `return` V8 counts some that did not run.
 */
function ranOf(length: number, functions: readonly Profiler.FunctionCoverage[]): readonly boolean[] {
  const ran: boolean[] = new Array(length).fill(false)
  const outermostFirst = functions.flatMap(({ ranges }) => {
    const [whole] = ranges
    return whole === undefined ? [] : [{ ...whole, isRun: ranges.some(({ count }) => count > 0) }]
  })
  outermostFirst.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  for (const { startOffset, endOffset, isRun } of outermostFirst) ran.fill(isRun, startOffset, endOffset)
  return ran
}
