import { join } from 'node:path'
import { fileBuildStore } from '@matchyard/build-store-fs'
import { createMatchyard, type Matchyard, type PlanLimits, type PriceTable } from '@matchyard/core'
import type { Logger, Storage } from '@matchyard/core/ports'
import { type AppOptions, createApp, type MatchyardApp } from '@matchyard/http'
import { nodePlatform } from '@matchyard/node'
import { manualPayments } from '@matchyard/payments-manual'
import { ConfigurationError } from '../config/configuration-error'
import { createMetrics } from '../metrics/metrics'
import { accessLog } from './access-log'
import { clockDoubt, clockFault } from './clock-faults'
import { type HeaderTimeouts, type Listening, listen, requireFreePort } from './listen'
import { quietAtFirst } from './logging'
import { type OrchestratorChoice, orchestratorOf } from './orchestrator'
import { makePrivateFolder } from './private-files'
import { referenceScript } from './reference-script'
import { VERSION } from './version'

export interface ServiceOptions extends OrchestratorChoice {
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
  readonly publicUrl?: string | undefined
  /** Address that players connect to. */
  readonly serverHost?: string | undefined
  readonly prices?: PriceTable | undefined
  /** Of accounts on the tariff `self_hosted`; default: none. */
  readonly operatorLimits?: Partial<PlanLimits>
  /** `manual` takes test cards, `none` takes no card; default `manual`. */
  readonly payments?: 'manual' | 'none'
  readonly maxUploadBytes?: number
  readonly launchTimeoutMs?: number
  readonly capacityTimeoutMs?: number
  readonly nodeLostAfterMs?: number
  /** Who may read `GET /metrics`: everybody, whoever has the token, or (default) nobody. */
  readonly metrics?: 'open' | 'closed' | { readonly token: string }
  /** The level of the line that each request gets; default `info`. */
  readonly accessLevel?: 'info' | 'debug'
  readonly headerTimeouts?: HeaderTimeouts
  /** What game servers lack here: every point as a warning (default), or how many there are in a line of its own. */
  readonly isolation?: 'in-full' | 'in-a-line'
  /** What becomes of a start with a wrong clock; default: it is refused. */
  readonly wrongClock?: 'refuse' | 'warn'
  /** The clock of the database's own machine, in milliseconds; default: it has none of its own. */
  readonly databaseNow?: () => Promise<number>
  readonly logger: Logger
  /** How many lines the log has dropped, for metrics; default none. */
  readonly droppedLogLines?: () => number
  readonly app?: AppOptions
}

export interface Service {
  readonly matchyard: Matchyard
  readonly app: MatchyardApp
  readonly baseUrl: string
  /** Where it listens. */
  readonly port: number
  /** Drains requests and streams, then lets go; game servers go on. */
  stop(): Promise<void>
}

/** Requests in hand at a shutdown get this long. */
const DRAIN_MS = 10_000

/** The composition root: every port filled, the worker running, the socket open. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { dataDirectory, logger, secret, storage } = options
  await requireFreePort(options.host, options.port)
  makePrivateFolder(dataDirectory)
  const platform = nodePlatform({ secret })
  const { clock, timers } = platform
  // The nodes of one PostgreSQL share the folder; the other databases have one process.
  const buildStore = fileBuildStore({ directory: join(dataDirectory, 'builds'), shared: storage.name === 'postgres' })
  const atFirst = options.isolation === 'in-a-line' ? quietAtFirst(logger) : undefined
  const orchestrator = orchestratorOf(options, { clock, buildStore, logger: atFirst?.logger ?? logger })
  if (orchestrator === undefined) logger.warn('This installation launches no game servers.')
  const metrics = createMetrics(options.droppedLogLines)
  let listening: Listening | undefined
  const matchyard = createMatchyard({
    storage,
    ...platform,
    buildStore,
    ...(options.payments === 'none' ? {} : { payments: manualPayments() }),
    logger,
    nodeId: options.nodeId,
    apiUrl: () => options.publicUrl ?? listening?.baseUrl ?? '',
    onConflict: metrics.onConflict,
    ...given('orchestrator', orchestrator),
    ...given('prices', options.prices),
    ...given('operatorLimits', options.operatorLimits),
    ...given('maxUploadBytes', options.maxUploadBytes),
    ...given('launchTimeoutMs', options.launchTimeoutMs),
    ...given('capacityTimeoutMs', options.capacityTimeoutMs),
    ...given('nodeLostAfterMs', options.nodeLostAfterMs),
  })
  metrics.observe({ matchyard, storage, clock })
  await checkClock(options, clock.now())
  await matchyard.open()
  if (atFirst !== undefined) {
    atFirst.speak()
    const lacks = orchestrator?.capabilities.limitations.length ?? 0
    if (lacks > 0)
      logger.info(`game servers are not fully isolated here (${lacks} points; matchyard doctor tells each)`)
  }
  let draining = false
  const logAccess = accessLog(logger, options.accessLevel ?? 'info')
  const app = createApp(matchyard, {
    logger,
    clock,
    timers,
    metrics: metrics.page(options.metrics ?? 'closed'),
    version: VERSION,
    referenceScript,
    draining: () => draining,
    onAnswer: (request) => {
      metrics.onAnswer(request)
      logAccess(request)
    },
    ...given('publicUrl', options.publicUrl),
    ...options.app,
  })
  try {
    listening = await listen(app, options)
  } catch (error) {
    await matchyard.stop()
    throw error
  }
  await matchyard.start()
  const { baseUrl, port, close } = listening
  return {
    matchyard,
    app,
    baseUrl: options.publicUrl ?? baseUrl,
    port,
    async stop() {
      draining = true
      app.closeStreams()
      await close(DRAIN_MS)
      await matchyard.stop()
    },
  }
}

/** Before anything is written: a start with a wrong clock stamps what it writes for good. */
async function checkClock(options: ServiceOptions, now: number): Promise<void> {
  const { storage, databaseNow, logger } = options
  await storage.migrate()
  const seen = { now, newest: await storage.newestInstant(), database: await databaseNow?.() }
  const fault = clockFault(seen)
  if (fault !== undefined && options.wrongClock !== 'warn') throw new ConfigurationError(fault)
  const told = fault ?? clockDoubt(seen)
  if (told !== undefined) logger.warn(told)
}

/** An option that is left out where it has no value. */
const given = <K extends string, V>(name: K, value: V | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: V }
