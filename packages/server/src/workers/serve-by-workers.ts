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

/** Throws ConfigurationError when the storage does not allow several workers. */
export function requireSharedStorage({ workers, databaseUrl }: ServeConfig): void {
  const fault = workersFault(workers, databaseUrl)
  if (fault !== undefined) throw new ConfigurationError(fault)
}

/**
 * Runs `matchyard serve` as several processes on one port. This primary process handles no calls. It listens on the
 * port, passes each connection to a worker, collects logs and metrics, and restarts workers that end.
 */
export async function serveByWorkers(config: ServeConfig, signals: StopSignals): Promise<void> {
  const { workers, host, port, dataDirectory } = config
  const logger = createLogger({ level: config.logLevel, pretty: false })
  makePrivateFolder(dataDirectory)
  // The id is read before the workers start, so that only one process creates it.
  const installationId = installationIdOf(dataDirectory)
  await requireFreePort(host, port)
  // Connections are passed to the workers in turn (round robin) on every platform. If the processes accepted
  // connections from one socket by themselves, the connections would be spread unevenly.
  cluster.schedulingPolicy = cluster.SCHED_RR
  // The workers' logs pass through this process, line by line.
  cluster.setupPrimary({ silent: true })
  // All workers must listen on the same port, including workers that are started later.
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
    // The log lines of the worker have given the reason already.
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
