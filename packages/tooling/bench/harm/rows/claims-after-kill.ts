import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@matchyard/server/testing'
import { Client } from '../../../src/client'
import { eventually } from '../../../src/eventually'
import { ServiceProcess } from '../../../src/service-process'
import type { HarmFigure, HarmRow } from '../row'

const LAUNCHES = 12
/** Milliseconds from the first answer to the kill; they hit the launches at different steps. */
const KILLS_AFTER_MS = [15, 25, 40, 60, 80, 120]
const GIVEN_UP_MS = 90_000
const PORTS = [
  { name: 'game', protocol: 'udp', internal_port: 7777 },
  { name: 'control', protocol: 'tcp', internal_port: 7778 },
]

/** A service on a data folder that survives restarts. */
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

  /**
   * Waits until no launch is in progress. Returns how long that took and how many launches failed, and stops the
   * running servers.
   */
  async settle(): Promise<{ ms: number; failed: number }> {
    const startedAt = performance.now()
    const count = async (status: string) => Number((await this.call('GET', `/v1/servers?status=${status}`)).total)
    await eventually(
      () => count('launching'),
      (launching) => launching === 0,
      GIVEN_UP_MS,
    ).catch(() => undefined)
    const ms = performance.now() - startedAt
    const failed = await count('failed')
    const { data } = await this.call('GET', '/v1/servers?status=running&limit=100')
    for (const { instance_id } of data as { instance_id: string }[])
      await this.call('DELETE', `/v1/servers/${instance_id}`)
    await eventually(
      () => count('running'),
      (running) => running === 0,
    )
    return { ms, failed }
  }

  /** Kills the service `afterMs` milliseconds after the first of many launches was answered, and starts it again. */
  async killInTheMiddle(afterMs: number): Promise<void> {
    const launches = Array.from({ length: LAUNCHES }, () => this.launch().catch(() => undefined))
    await Promise.race(launches)
    await wait(afterMs)
    await this.killAndStart()
    await Promise.all(launches)
  }

  async stop(): Promise<void> {
    this.client.close()
    await this.service.end('SIGINT')
    await rm(this.directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

export const row: HarmRow = {
  name: 'claims-after-kill',
  harm: `kill -9 in the middle of ${LAUNCHES} launches, ${KILLS_AFTER_MS.length} times: from the next start until all of them run`,
  async run(): Promise<readonly HarmFigure[]> {
    const installation = await Installation.start()
    try {
      await installation.launch()
      await installation.settle()
      await Promise.all(Array.from({ length: LAUNCHES }, () => installation.launch()))
      const quiet = await installation.settle()
      const longest = { ms: 0, failed: 0 }
      for (const afterMs of KILLS_AFTER_MS) {
        await installation.killInTheMiddle(afterMs)
        const { ms, failed } = await installation.settle()
        longest.ms = Math.max(longest.ms, ms)
        longest.failed = failed
      }
      return [
        { what: 'until all launches run, longest', unit: 'ms', quiet: quiet.ms, attacked: longest.ms },
        { what: 'launches that failed', unit: '', quiet: quiet.failed, attacked: longest.failed },
      ]
    } finally {
      await installation.stop()
    }
  },
}
