import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../../server/test/harness/free-port'
import { Client } from '../../../src/client'
import { eventually } from '../../../src/eventually'
import { ServiceProcess } from '../../../src/service-process'
import type { HarmFigure, HarmRow } from '../row'

const LAUNCHES = 6
const GIVEN_UP_MS = 90_000
const PORTS = [
  { name: 'game', protocol: 'udp', internal_port: 7777 },
  { name: 'control', protocol: 'tcp', internal_port: 7778 },
]

/** The service on a folder that outlives it. */
class Installation {
  private constructor(
    readonly directory: string,
    readonly port: number,
    public service: ServiceProcess,
    public client: Client,
  ) {}

  static async start(): Promise<Installation> {
    const directory = mkdtempSync(join(tmpdir(), 'matchyard-harm-'))
    const port = await freePort()
    const service = await ServiceProcess.start(directory, port)
    const installation = new Installation(directory, port, service, new Client(service.credentials.base_url))
    const ready = () => installation.call('GET', '/v1/builds?status=ready')
    await eventually(ready, (body) => body.total === 1)
    return installation
  }

  async call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const key = this.service.credentials.server_key
    return (await this.client.call({ method, path, key, body })).body
  }

  async killAndStart(): Promise<void> {
    await this.service.end('SIGKILL')
    this.client.close()
    this.service = await ServiceProcess.start(this.directory, this.port)
    this.client = new Client(this.service.credentials.base_url)
  }

  async launch(): Promise<string> {
    return String(
      (await this.call('POST', '/v1/servers', { version_tag: 'demo-game', network_ports: PORTS })).instance_id,
    )
  }

  /** How many of them do not run in the end, and how long the others took, from now on. */
  async untilRunning(ids: readonly string[]): Promise<{ ms: number; failed: number }> {
    const startedAt = performance.now()
    const statuses = () => Promise.all(ids.map(async (id) => (await this.call('GET', `/v1/servers/${id}`)).status))
    const ends = await eventually(
      statuses,
      (seen) => seen.every((status) => status !== 'launching'),
      GIVEN_UP_MS,
    ).catch(statuses)
    return { ms: performance.now() - startedAt, failed: ends.filter((status) => status !== 'running').length }
  }

  async stop(): Promise<void> {
    this.client.close()
    await this.service.end('SIGINT')
    await rm(this.directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

export const row: HarmRow = {
  name: 'claims-after-kill',
  harm: `kill -9 while ${LAUNCHES} launches are in hand, and a start: from then until all of them run`,
  async run(): Promise<readonly HarmFigure[]> {
    const installation = await Installation.start()
    try {
      const begin = () => Promise.all(Array.from({ length: LAUNCHES }, () => installation.launch()))
      await installation.untilRunning([await installation.launch()])
      const quiet = await installation.untilRunning(await begin())
      const ids = await begin()
      await installation.killAndStart()
      const killed = await installation.untilRunning(ids)
      return [
        { what: 'until all launches run', unit: 'ms', quiet: quiet.ms, attacked: killed.ms },
        { what: 'launches that failed', unit: '', quiet: quiet.failed, attacked: killed.failed },
      ]
    } finally {
      await installation.stop()
    }
  },
}
