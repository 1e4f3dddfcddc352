import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@matchyard/server/testing'
import { eventually } from '../eventually'

export const prometheusIsHere = (): boolean =>
  ['prometheus', 'promtool'].every((program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0)

/** A real Prometheus process with a given configuration. It stores its data in the caller's folder. */
export class PrometheusProcess {
  private constructor(
    private readonly process: ChildProcess,
    private readonly baseUrl: string,
  ) {}

  static async start(configuration: string, folder: string): Promise<PrometheusProcess> {
    const port = await freePort()
    const child = spawn(
      'prometheus',
      [
        `--config.file=${configuration}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk
    })
    const started = new PrometheusProcess(child, `http://127.0.0.1:${port}`)
    await eventually(
      () => fetch(`${started.baseUrl}/-/ready`).then(({ status }) => status, String),
      (status) => {
        if (child.exitCode !== null) throw new Error(`prometheus: ${said}`)
        return status === 200
      },
      60_000,
    )
    return started
  }

  /** Returns the field `data` of an answer from Prometheus' HTTP API. */
  async ask<T>(path: string): Promise<T> {
    const { data } = (await (await fetch(`${this.baseUrl}/api/v1/${path}`)).json()) as { data: T }
    return data
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return
    const gone = once(this.process, 'exit')
    this.process.kill('SIGTERM')
    await gone
  }
}
