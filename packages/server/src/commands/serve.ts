import { defineCommand } from 'citty'
import { readServeConfig } from '../config/serve-config'
import { logLastWords } from '../service/last-words'
import { createLogger, quietAtFirst } from '../service/logging'
import { installationIdOf, makePrivateFolder } from '../service/private-files'
import { startService } from '../service/service'
import { nodeIdOf } from '../service/service-options'
import { hearStopSignals } from '../service/signals'
import { standardError } from '../service/standard-streams'
import { storageOf } from '../service/storage-url'
import { tellFailure } from '../service/tell-failure'

/** Production: configured by the environment alone, no demo data, no secret in any log (docs/http-api.md §9). */
export const serve = defineCommand({
  meta: { name: 'serve', description: 'Run the service in production, configured by the environment.' },
  run: () =>
    tellFailure(async () => {
      const signals = hearStopSignals()
      const config = readServeConfig(process.env)
      makePrivateFolder(config.dataDirectory)
      const logger = createLogger({ level: config.logLevel, pretty: false })
      logLastWords(logger)
      const storageLog = quietAtFirst(logger)
      const installationId = installationIdOf(config.dataDirectory)
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
        droppedLogLines: () => standardError().dropped,
      })
      storageLog.speak()
      if (registration === 'open')
        logger.warn('registration is open: whoever reaches this service may run game servers')
      if (metricsToken === undefined) logger.info('/metrics is closed; set METRICS_TOKEN to read it')
      logger.info('listening', {
        url: service.baseUrl,
        port: service.port,
        node: nodeIdOf({ nodeId: config.nodeId, installationId }),
      })
      await signals.untilHeard(async (signal) => {
        logger.info('shutting down; game servers go on', { signal })
        await service.stop()
        logger.info('stopped')
      })
    }),
})
