import cluster from 'node:cluster'
import { nodeTimers } from '@matchyard/node'
import { ConfigurationError } from '../config/configuration-error'
import type { ServeConfig } from '../config/serve-config'
import { freePortOn, requireFreePort } from '../service/listen'
import { createLogger } from '../service/logging'
import { installationIdOf, makePrivateFolder } from '../service/private-files'
import { nodeIdOf } from '../service/service-options'
import type { StopSignals } from '../service/signals'
import { standardError } from '../service/standard-streams'
import { FailedStart, Primary } from './primary'
import { workersFault } from './workers-fault'

/** Throws ConfigurationError for workers that cannot share their storage. */
export function requireSharedStorage({ workers, databaseUrl }: ServeConfig): void {
  const fault = workersFault(workers, databaseUrl)
  if (fault !== undefined) throw new ConfigurationError(fault)
}

/**
 * `matchyard serve` as several processes on one port. This one takes no calls: it holds the port, hands each connection to a worker
 * that is free for it, gathers logs and figures, and starts again whoever ends.
 */
export async function serveByWorkers(config: ServeConfig, signals: StopSignals): Promise<void> {
  const { workers, host, port, dataDirectory } = config
  const logger = createLogger({ level: config.logLevel, pretty: false })
  makePrivateFolder(dataDirectory)
  // Drawn before there are several who might.
  const installationId = installationIdOf(dataDirectory)
  await requireFreePort(host, port)
  // In turn, whatever the platform: left to themselves, processes that wait at one socket share badly.
  cluster.schedulingPolicy = cluster.SCHED_RR
  // Their logs go by this process, a line at a time.
  cluster.setupPrimary({ silent: true })
  // All of them, and whoever is started later, listen on one.
  const shared = port === 0 ? await freePortOn(host) : port
  const primary = new Primary({
    count: workers,
    environment: { PORT: String(shared) },
    timers: nodeTimers(),
    logger,
    droppedLogLines: () => standardError().dropped,
  })
  try {
    await primary.start()
  } catch (error) {
    await primary.stop('SIGTERM')
    // Its own lines have said why.
    throw error instanceof FailedStart ? new ConfigurationError([]) : error
  }
  const node = nodeIdOf({ nodeId: config.nodeId, installationId })
  logger.info('listening', { url: primary.baseUrl, port: shared, node, workers })
  await signals.untilHeard(async (signal) => {
    logger.info('shutting down; game servers go on', { signal })
    await primary.stop(signal)
    logger.info('stopped')
  })
}
