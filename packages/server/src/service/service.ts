import { fileURLToPath } from 'node:url'
import { consoleFiles } from '@matchyard/console'
import { createMatchyard, type Matchyard } from '@matchyard/core'
import {
  type AnsweredRequest,
  createApp,
  type EndedStream,
  type MatchyardApp,
  type Party,
  type Rank,
  webhookBody,
} from '@matchyard/http'
import { peerTokens } from '@matchyard/node'
import { manualPayments } from '@matchyard/payments/manual'
import { beaconsOf, hasBeacon } from '../beacon/node-beacons'
import { openUdpBeacon, type UdpBeacon } from '../beacon/udp-beacon'
import { withPing } from '../beacon/with-ping'
import { isPostgresUrl } from '../config/database-url'
import { holdsConsole, withConsole } from '../console/serve-console'
import { createMetrics } from '../metrics/metrics'
import { withOpenId } from '../openid/serve-openid'
import { withPeers } from '../peers/answer-peers'
import { askPeers } from '../peers/ask-peers'
import { tellHolder } from '../peers/tell-holder'
import { Top } from '../top/top'
import { topPage } from '../top/top-page'
import { accessLog } from './access-log'
import { apiAlone } from './api-alone'
import { buildStoreOf, uploadOriginOf } from './build-store'
import { checkClock } from './check-clock'
import { tellClockSteps } from './clock-steps'
import { databaseNow } from './inspect-database'
import { type Listening, listen, requireFreePort } from './listen'
import { quietAtFirst } from './logging'
import { machineLoad } from './machine-load'
import { openFileLimit, socketRoom, streamsWithin, tellRoom } from './open-files'
import { orchestratorOf } from './orchestrator'
import { platformOf } from './platform'
import { makePrivateFolder } from './private-files'
import { referenceScript } from './reference-script'
import { refusalsTold } from './refusals-told'
import { appOptionsOf, nodeIdOf, requireServiceOptions, type ServiceOptions, serverHostOf } from './service-options'
import { drainTimes } from './shutdown'
import { VERSION } from './version'

export type { ServiceOptions }

export interface Service {
  readonly matchyard: Matchyard
  readonly app: MatchyardApp
  /** Whether `/console` is served. */
  readonly hasConsole: boolean
  readonly baseUrl: string
  /** Port on which the service listens. */
  readonly port: number
  /** Maximum number of open connections. */
  readonly maxConnections: number
  /** Waits for running requests and streams to end, then releases all resources. Game servers continue. */
  stop(): Promise<void>
}

/**
 * Starts a service: creates the adapters of all ports (the core's interfaces), migrates and checks the storage,
 * listens, and starts the worker that runs jobs.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  requireServiceOptions(options)
  const { dataDirectory, logger, storage, databaseUrl = '', metricsToken, worker } = options
  // With several workers, the primary process listens on the port, so a worker does not check it.
  if (worker === undefined) await requireFreePort(options.host, options.port)
  makePrivateFolder(dataDirectory)
  const { platform, followed } = platformOf(options)
  const { clock, timers } = platform
  tellClockSteps(clock, logger)
  const { takeMs, graceMs } = drainTimes(options.drainMs)
  // The nodes of one PostgreSQL database share the folder of builds. With any other storage, only one process uses the
  // folder.
  const buildStore = buildStoreOf(options, storage.name === 'postgres')
  const atFirst = options.isolation === 'in-a-line' ? quietAtFirst(logger) : undefined
  const isFirst = worker?.isFirst ?? true
  const orchestrator = isFirst
    ? orchestratorOf(
        { ...options, serverHost: serverHostOf(options) },
        { clock, buildStore, logger: atFirst?.logger ?? logger },
      )
    : await worker?.orchestrator(nodeIdOf({ ...options, worker: undefined }))
  if (orchestrator === undefined && isFirst) logger.warn('This installation launches no game servers.')
  const metrics = createMetrics(options.droppedLogLines, worker && (() => worker.page()))
  worker?.serve({ figures: () => metrics.figures(), orchestrator })
  const files = openFileLimit()
  const room = socketRoom(files, isPostgresUrl(databaseUrl) ? options.pool?.poolSize : 0)
  if (isFirst) tellRoom(room, files, logger)
  const ofPeers = peerTokens(platform.tokens, clock)
  // If every node can read the logs of all game servers, no node needs to ask another node.
  const peerUrl = orchestrator?.sharedAs === undefined && orchestrator !== undefined ? options.peerUrl : undefined
  let listening: Listening | undefined
  const directory = consoleOf(options)
  const matchyard = createMatchyard({
    storage,
    ...platform,
    buildStore,
    ...(options.payments === 'manual' ? { payments: manualPayments() } : {}),
    logger,
    nodeId: nodeIdOf(options),
    peers: askPeers({ url: isFirst ? peerUrl : undefined, tokens: ofPeers }),
    apiUrl: () => options.publicUrl ?? listening?.baseUrl ?? '',
    onConflict: metrics.onConflict,
    ...given('tracing', options.tracing),
    ...given('orchestrator', orchestrator),
    ...given('prices', options.prices),
    ...given('operatorLimits', options.operatorLimits),
    ...given('addresses', options.addresses),
    webhookBody,
    streams: streamsWithin(room),
    ...given('maxUploadBytes', options.maxUploadBytes),
    ...given('maxLobbiesPerProject', options.maxLobbiesPerProject),
    ...given('matchRetentionDays', options.matchRetentionDays),
    ...given('logRetentionHours', options.logRetentionHours),
    ...given('regions', options.regions),
    machine: {
      ...{ host: serverHostOf(options), release: VERSION, load: machineLoad },
      beacons: beaconsOf(options, serverHostOf(options)),
    },
    ...given('regionFallback', options.regionFallback),
    ...given('placement', options.placement),
    ...given('launchTimeoutMs', options.launchTimeoutMs),
    ...given('capacityTimeoutMs', options.capacityTimeoutMs),
    ...given('nodeLostAfterMs', options.nodeLostAfterMs),
    ...given('machineAwayMs', options.machineAwayMs),
  })
  let draining = false
  const access = accessLog(logger, options.accessLevel ?? 'info')
  const top = new Top(clock)
  const pageAccess = options.metrics ?? (metricsToken === undefined ? 'closed' : { token: metricsToken })
  const listenUrl = options.pool?.listenUrl
  // The module is loaded only for PostgreSQL, together with the database's driver.
  const shared = isPostgresUrl(databaseUrl)
    ? (await import('./shared-limits')).sharedLimitsOf(databaseUrl, logger, { isPooled: listenUrl !== undefined })
    : undefined
  const onAnswer = (request: AnsweredRequest) => {
    metrics.onAnswer(request)
    access.answered(request)
    top.answered(request)
  }
  const onStreamEnd = (stream: EndedStream) => {
    access.streamEnded(stream)
    top.streamEnded(stream)
  }
  const tellRefusals = refusalsTold(logger, clock, timers)
  const onRefused = (rank: Rank, party: Party | undefined) => {
    metrics.onRefused(rank)
    tellRefusals(rank, party)
    top.refused(party)
  }
  const app: MatchyardApp = createApp(matchyard, {
    ...appOptionsOf(options),
    signInCodes: {
      areOperatorsOnly: true,
      use: (code, by) => matchyard.accounts.useSignInCode({ code, by }),
    },
    logger,
    clock,
    timers,
    metrics: metrics.page(pageAccess),
    top: topPage(() => top.now(app.streamsNow()), pageAccess),
    version: VERSION,
    referenceScript,
    tellHolder: tellHolder({ tokens: ofPeers }),
    draining: () => draining,
    onAnswer,
    onStreamEnd,
    ...given('tracing', options.tracing),
    ...given('limiter', shared?.limiter),
    ...given('admission', options.admission && { ...options.admission, onRefused }),
    ...options.app,
  })
  let beacon: UdpBeacon | undefined
  metrics.observe({ matchyard, storage, clock, beacon: () => beacon?.counts() })
  const ofDatabase = isPostgresUrl(databaseUrl) ? () => databaseNow(listenUrl ?? databaseUrl) : undefined
  await storage.migrate()
  await checkClock({ databaseNow: ofDatabase, ...options }, clock.now())
  await followed.check()
  await matchyard.open()
  if (atFirst !== undefined) {
    atFirst.speak()
    const lacks = orchestrator?.capabilities.limitations.length ?? 0
    if (lacks > 0)
      logger.info(
        `game servers are not fully isolated here (${lacks === 1 ? '1 point' : `${lacks} points`}; matchyard doctor lists them)`,
      )
  }
  try {
    const served = { trustedProxies: options.trustedProxies ?? 0, now: () => clock.now(), onAnswer }
    const pages =
      directory === undefined ? app : withConsole(app, { directory, uploadOrigin: uploadOriginOf(options), ...served })
    const door =
      peerUrl === undefined
        ? pages
        : withPeers(app, pages, { matchyard, tokens: ofPeers, url: peerUrl, logger, ...served })
    const { openId, publicUrl, passwordSignIn } = options
    const entrance =
      openId === undefined || publicUrl === undefined || directory === undefined
        ? door
        : withOpenId(app, door, {
            ...{ config: openId, publicUrl, hasPasswords: passwordSignIn !== 'off' },
            ...{ matchyard, storage, clock, logger },
          })
    const open = apiAlone(app, entrance, options.app?.whyClosed)
    // The machine reports its beacon when the service starts, so the beacon answers before that.
    if (isFirst && options.beaconPort !== undefined)
      beacon = await openUdpBeacon({ host: options.host, port: options.beaconPort, clock, timers })
    listening = await listen(hasBeacon(options) ? withPing(open) : open, {
      ...options,
      maxConnections: room.connections,
    })
  } catch (error) {
    await beacon?.close()
    await matchyard.stop()
    await shared?.close()
    throw error
  }
  await matchyard.start()
  followed.follow()
  const { baseUrl, port, close } = listening
  return {
    matchyard,
    app,
    hasConsole: directory !== undefined,
    baseUrl: options.publicUrl ?? baseUrl,
    port,
    maxConnections: room.connections,
    async stop() {
      draining = true
      await beacon?.close()
      // The hand-over of jobs to other nodes begins before calls end, because running jobs may take as long as running
      // calls. `stop` waits for the hand-over and reports its errors.
      matchyard.handOver().catch(() => {})
      // Streams end only after load balancers had time to choose another node. Otherwise the clients would open their
      // streams on this node again.
      if (takeMs > 0) await new Promise<void>((resolve) => timers.after(takeMs, resolve))
      app.closeStreams()
      await close(graceMs)
      followed.stop()
      await matchyard.stop()
      await shared?.close()
    },
  }
}

/**
 * Returns the folder of the console; undefined when the console is off or was not built. The service works without the
 * console.
 */
function consoleOf(options: ServiceOptions): string | undefined {
  const { console: choice = 'off', consoleFiles: folder = fileURLToPath(consoleFiles), logger } = options
  if (choice === 'off') return undefined
  if (holdsConsole(folder)) return folder
  logger.warn('the console was not built, and is not served')
  return undefined
}

/** Returns an object with the given option, or an empty object if the option has no value. */
const given = <K extends string, V>(name: K, value: V | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: V }
