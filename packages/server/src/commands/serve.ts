import { defineCommand } from 'citty'
import { isPostgresUrl } from '../config/database-url'
import { readServeConfig } from '../config/serve-config'
import { databaseNow } from '../service/inspect-database'
import { logLastWords } from '../service/last-words'
import { createLogger, quietAtFirst } from '../service/logging'
import { installationIdOf, makePrivateFolder } from '../service/private-files'
import { startService } from '../service/service'
import { sharedLimitsOf } from '../service/shared-limits'
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
      const { metricsToken, trustedProxies, controlPlaneOrigins, registration } = config
      const limits = sharedLimitsOf(config.databaseUrl, logger)
      const service = await startService({
        ...config,
        storage: await storageOf(config.databaseUrl, {
          logger: storageLog.logger,
          pool: config.pool,
          cacheMb: config.cacheMb,
        }),
        installationId,
        nodeId: config.nodeId ?? `node-${installationId}`,
        serverHost: config.serverHost ?? hostOf(config.publicUrl),
        metrics: metricsToken === undefined ? 'closed' : { token: metricsToken },
        logger,
        ...(isPostgresUrl(config.databaseUrl) && { databaseNow: () => databaseNow(config.databaseUrl) }),
        droppedLogLines: () => standardError().dropped,
        app: {
          trustProxy: trustedProxies,
          controlPlaneOrigins,
          registration,
          brakes: config.brakes,
          ...(limits && { limiter: limits.limiter }),
        },
      })
      storageLog.speak()
      if (registration === 'open')
        logger.warn('registration is open: whoever reaches this service may run game servers')
      if (metricsToken === undefined) logger.info('/metrics is closed; set METRICS_TOKEN to read it')
      logger.info('listening', {
        url: service.baseUrl,
        port: service.port,
        node: config.nodeId ?? `node-${installationId}`,
      })
      await signals.untilHeard(async (signal) => {
        logger.info('shutting down; game servers go on', { signal })
        await service.stop()
        await limits?.close()
        logger.info('stopped')
      })
    }),
})

/** Players reach game servers where they reach the service, unless told otherwise. */
const hostOf = (publicUrl: string | undefined): string | undefined =>
  publicUrl === undefined ? undefined : new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
