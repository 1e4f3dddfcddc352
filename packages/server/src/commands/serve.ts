import { nodeTimers } from '@matchyard/node'
import { defineCommand } from 'citty'
import { readServeConfig } from '../config/serve-config'
import { logLastWords } from '../service/last-words'
import { createLogger, quietAtFirst } from '../service/logging'
import { installationIdOf, makePrivateFolder } from '../service/private-files'
import { startService } from '../service/service'
import { nodeIdOf } from '../service/service-options'
import { withinTheTime } from '../service/shutdown'
import { hearStopSignals } from '../service/signals'
import { standardError } from '../service/standard-streams'
import { storageOf } from '../service/storage-url'
import { tellFailure } from '../service/tell-failure'
import { VERSION } from '../service/version'
import { tellingWhatFills } from '../service/what-fills'
import { requireSharedStorage, serveByWorkers } from '../workers/serve-by-workers'
import { workerPlaceOf } from '../workers/worker-place'
import { WORKERS_OPTION, withWorkers } from './workers-option'

/**
 * Runs the service in production. Environment variables are the only configuration. There is no demo data, and logs
 * contain no secrets (docs/http-api.md §9).
 */
export const serve = defineCommand({
  meta: { name: 'serve', description: 'Run the service in production, configured by the environment.' },
  args: { workers: WORKERS_OPTION },
  run: ({ args }) =>
    tellFailure(async () => {
      const worker = workerPlaceOf(process.env, nodeTimers())
      const signals = hearStopSignals(worker)
      const config = readServeConfig(withWorkers(process.env, args.workers))
      requireSharedStorage(config)
      if (worker === undefined && config.workers > 1) return serveByWorkers(config, signals)
      makePrivateFolder(config.dataDirectory)
      const plainLogger = createLogger({ level: config.logLevel, pretty: false, worker: worker?.number })
      logLastWords(plainLogger)
      const installationId = installationIdOf(config.dataDirectory)
      const node = nodeIdOf({ nodeId: config.nodeId, installationId, worker })
      // The tracing library is loaded only when tracing is configured.
      const traces = config.isTraced
        ? await (await import('../tracing/open-tracing')).openTracing(
            { nodeId: node, version: VERSION },
            {
              logger: plainLogger,
              now: () => performance.now(),
            },
          )
        : undefined
      const logger = traces?.logger ?? plainLogger
      const storageLog = quietAtFirst(tellingWhatFills(logger, config))
      const { metricsToken, registration } = config
      const service = await startService({
        ...config,
        storage: await storageOf(config.databaseUrl, {
          logger: storageLog.logger,
          pool: config.pool,
          cacheMb: config.cacheMb,
        }),
        installationId,
        logger,
        tracing: traces?.tracing,
        worker,
        droppedLogLines: () => standardError().dropped,
      })
      storageLog.speak()
      const isFirst = worker?.isFirst ?? true
      if (registration === 'open' && isFirst)
        logger.warn('registration is open: everybody who can reach this service can run game servers')
      if (metricsToken === undefined && isFirst) logger.info('/metrics is closed; set METRICS_TOKEN to read it')
      // With several workers, the primary process logs these lines once for all workers.
      const level = worker === undefined ? 'info' : 'debug'
      logger[level](worker === undefined ? 'listening' : 'a worker listens', {
        url: service.baseUrl,
        port: service.port,
        connections: service.maxConnections,
        node,
      })
      await worker?.tellUp(service.baseUrl)
      await signals.untilHeard(async (signal) => {
        logger[level]('shutting down; game servers go on', { signal })
        const stop = async () => {
          await service.stop()
          await traces?.close()
        }
        await withinTheTime(stop, { timers: nodeTimers(), logger, exit: () => process.exit(1) })
        logger[level]('stopped')
      })
    }),
})
