import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileBuildStore } from '@matchyard/build-store-fs'
import { createMatchyard, type Logger, type Matchyard, type Storage } from '@matchyard/core'
import { type AppOptions, createApp, type MatchyardApp } from '@matchyard/http'
import { nodePlatform } from '@matchyard/node'
import { processOrchestrator } from '@matchyard/orchestrator-process'
import { manualPayments } from '@matchyard/payments-manual'
import { type Listening, listen } from './listen'

export interface ServiceOptions {
  readonly storage: Storage
  /** Where uploads, unpacked builds and the files of game servers live. */
  readonly dataDirectory: string
  readonly secret: string
  readonly host: string
  readonly port: number
  /** Names this process among those that share the storage, the same after a restart. */
  readonly nodeId: string
  /** Names the installation on its machine: game servers of another one are never touched. */
  readonly installationId: string
  /** How others reach this service; default: where it listens. */
  readonly publicUrl?: string
  /** Address that players connect to. */
  readonly serverHost?: string
  readonly logger: Logger
  readonly app?: AppOptions
}

export interface Service {
  readonly matchyard: Matchyard
  readonly app: MatchyardApp
  readonly baseUrl: string
  readonly limitations: readonly string[]
  /** Drains requests and streams, then lets go; game servers go on. */
  stop(): Promise<void>
}

/** Requests in hand at a shutdown get this long. */
const DRAIN_MS = 5_000

/** The composition root: every port filled, the worker running, the socket open. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { dataDirectory, logger, secret } = options
  mkdirSync(dataDirectory, { recursive: true })
  const platform = nodePlatform({ secret })
  const buildStore = fileBuildStore({ directory: join(dataDirectory, 'builds') })
  const orchestrator = processOrchestrator({
    dataDirectory: join(dataDirectory, 'servers'),
    buildStore,
    installationId: options.installationId,
    // The database and the secret are nobody's business inside a sandbox.
    hiddenPaths: [dataDirectory],
    clock: platform.clock,
    logger,
    ...(options.serverHost === undefined ? {} : { host: options.serverHost }),
  })
  let listening: Listening | undefined
  const matchyard = createMatchyard({
    storage: options.storage,
    ...platform,
    orchestrator,
    buildStore,
    payments: manualPayments(),
    logger,
    nodeId: options.nodeId,
    apiUrl: () => options.publicUrl ?? listening?.baseUrl ?? '',
  })
  await matchyard.open()
  const { clock, timers } = platform
  const app = createApp(matchyard, { logger, clock, timers, ...options.app })
  try {
    listening = await listen(app, options.host, options.port)
  } catch (error) {
    await matchyard.stop()
    throw error
  }
  await matchyard.start()
  const { baseUrl, close } = listening
  return {
    matchyard,
    app,
    baseUrl: options.publicUrl ?? baseUrl,
    limitations: orchestrator.capabilities.limitations,
    async stop() {
      app.closeStreams()
      await close(DRAIN_MS)
      await matchyard.stop()
    },
  }
}
