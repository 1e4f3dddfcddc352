import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { defineCommand } from 'citty'
import { defaultDatabaseUrl } from '../config/database-url'
import { readDevConfig } from '../config/serve-config'
import { devCertificate } from '../dev/certificate'
import { DemoKeys } from '../dev/demo-keys'
import { lanOf } from '../dev/lan'
import { localFiles } from '../dev/local-files'
import { seedDemo } from '../dev/seed'
import { OneTimeCodes } from '../dev/sign-in-codes'
import { stopGameServers } from '../dev/stop-game-servers'
import { tellFailures } from '../dev/tell-failures'
import { printWelcome } from '../dev/welcome'
import { freePortOn } from '../service/listen'
import { createLogger, quietAtFirst } from '../service/logging'
import { portOf } from '../service/port'
import { startService } from '../service/service'
import { hearStopSignals } from '../service/signals'
import { standardError } from '../service/standard-streams'
import { storageOf } from '../service/storage-url'
import { tellFailure } from '../service/tell-failure'

/**
 * Runs the whole service on this machine: a SQLite file, local processes, a demo project with both keys (server key and
 * client key), a demo build and a queue (docs/http-api.md §9).
 */
export const dev = defineCommand({
  meta: { name: 'dev', description: 'Run everything on this machine, with a demo project to try.' },
  args: {
    port: { type: 'string', description: 'Port to listen on, 0 for any free one (default 8080, or PORT)' },
    host: { type: 'string', description: 'Address to listen on (default 127.0.0.1, or HOST)' },
    lan: {
      type: 'boolean',
      description: "Let players on the same network play; --lan=ADDRESS names this machine's address",
      default: false,
    },
    data: { type: 'string', description: 'Folder for all data (default .matchyard, or MATCHYARD_DATA)' },
    verbose: { type: 'boolean', description: 'Tell more', default: false },
  },
  run: ({ args, rawArgs }) =>
    tellFailure(async () => {
      const startedAt = performance.now()
      const signals = hearStopSignals()
      const directory = resolve(args.data || process.env.MATCHYARD_DATA || '.matchyard')
      const { cacheMb, secret, logLevel, ...config } = readDevConfig(process.env)
      const lan = lanOf({
        lan: args.lan,
        rawArgs,
        hostOption: args.host,
        environment: process.env,
        interfaces: networkInterfaces(),
      })
      const host = lan?.host ?? args.host ?? config.host ?? '127.0.0.1'
      const wantedPort = portOf(args.port ?? process.env.PORT, 8080)
      // The address for players holds the port, so any free port is chosen before the start.
      const port = lan !== undefined && wantedPort === 0 ? await freePortOn(host) : wantedPort
      const logger = createLogger({ level: args.verbose ? 'debug' : logLevel, pretty: true })
      const storageLog = quietAtFirst(logger)
      const files = localFiles(directory)
      const storage = await storageOf(process.env.DATABASE_URL || defaultDatabaseUrl(directory), {
        logger: storageLog.logger,
        cacheMb,
      })
      const codes = new OneTimeCodes()
      const demoKeys = new DemoKeys(host)
      const serverHost = lan?.address ?? config.serverHost
      const hosts = [...new Set(['localhost', '127.0.0.1', '::1', ...(serverHost ? [serverHost] : [])])]
      const service = await startService({
        storage,
        dataDirectory: directory,
        ...config,
        certificate: config.certificate ?? (await devCertificate(directory, hosts, Date.now())),
        // The firewall of a developer's machine stays as it is; the port of the service may be one of the inner ports.
        innerPortGuard: 'none',
        // Images of the local container engine are accepted, so that a developer needs no registry.
        containers: { ...config.containers, localImages: process.env.DOCKER_LOCAL_IMAGES !== 'false' },
        secret: secret ?? files.secret,
        installationId: files.installationId,
        nodeId: `dev-${files.installationId}`,
        host,
        port,
        registration: 'open',
        ...lan?.options(port),
        app: { signInCodes: codes, referenceKeys: demoKeys.for, ...(lan && { whyClosed: lan.whyClosed }) },
        // During development, a studio's backend runs on the same machine as the service.
        addresses: { allowLoopback: true, httpsOnly: false },
        payments: 'manual',
        metrics: 'open',
        wrongClock: 'warn',
        // The SQLite file in the data folder is accepted with any secret. Another database may be shared with nodes
        // that use another secret.
        otherSecret: process.env.DATABASE_URL ? 'refuse' : 'warn',
        accessLevel: 'debug',
        isolation: 'in-a-line',
        logger,
        droppedLogLines: () => standardError().dropped,
      })
      storageLog.speak()
      tellFailures(service.matchyard, logger)
      // A signal also stops the service while the demo is being created.
      const stopped = signals.untilHeard(async (signal) => {
        standardError().write(signal === 'SIGINT' ? '\n  stopping …\n' : '  stopping …\n')
        // Ctrl-C means that the developer has finished, so the game servers are stopped. SIGTERM may come from a
        // supervisor that restarts the service, so the matches continue.
        if (signal === 'SIGINT') await stopGameServers(storage, service.matchyard)
        await service.stop()
      })
      try {
        if (signals.heard !== undefined) return await stopped
        const credentials = await seedDemo(service, files, storage)
        demoKeys.set(credentials)
        const code = service.hasConsole ? codes.draw(credentials.account_id) : undefined
        if (signals.heard === undefined)
          printWelcome({
            credentials,
            directory,
            code,
            startedInMs: performance.now() - startedAt,
            lanPort: lan && service.port,
          })
      } catch (error) {
        // The demo may be incomplete because a signal stopped the service. In this case the error is not reported.
        if (signals.heard === undefined) throw error
      }
      await stopped
    }),
})
