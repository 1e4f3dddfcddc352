import { type Debugger, type Profiler, Session } from 'node:inspector'
import { SourceMap } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { linesThatRan } from './lines-that-ran'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SOURCES = /^file:.*\/packages\/[^/]+\/src\/.*\.ts$/

/** The lines of one file that ran while a call was recorded. */
export interface RanFile {
  /** Path relative to the root of the repository. */
  readonly path: string
  /** Line numbers in ascending order; the first line of a file is 1. */
  readonly lines: readonly number[]
}

/**
 * Records which lines of TypeScript sources run, by V8's precise coverage and the source maps that tsx adds to each
 * loaded file. A source must be loaded after `start`.
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

  /** Runs a call. Resolves with the source files of packages that ran in it and the lines that ran, by path. */
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
      const lines = linesThatRan(scriptSource, functions, new SourceMap(JSON.parse(map)))
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
