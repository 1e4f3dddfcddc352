import { resolve } from 'node:path'
import { defineCommand } from 'citty'
import { defaultDatabaseUrl } from '../config/database-url'
import { readDevConfig } from '../config/serve-config'
import { DemoKeys } from '../dev/demo-keys'
import { localFiles } from '../dev/local-files'
import { seedDemo } from '../dev/seed'
import { OneTimeCodes } from '../dev/sign-in-codes'
import { stopGameServers } from '../dev/stop-game-servers'
import { tellFailures } from '../dev/tell-failures'
import { printWelcome } from '../dev/welcome'
import { createLogger, quietAtFirst } from '../service/logging'
import { portOf } from '../service/port'
import { startService } from '../service/service'
import { hearStopSignals } from '../service/signals'
import { standardError } from '../service/standard-streams'
import { storageOf } from '../service/storage-url'
import { tellFailure } from '../service/tell-failure'

/** Everything embedded: a SQLite file, local processes, a demo project with both keys, a demo build and a queue (docs/http-api.md §9). */
export const dev = defineCommand({
  meta: { name: 'dev', description: 'Run everything on this machine, with a demo project to try.' },
  args: {
    port: { type: 'string', description: 'Port to listen on, 0 for any free one (default 8080, or PORT)' },
    host: { type: 'string', description: 'Address to listen on (default 127.0.0.1, or HOST)' },
    data: { type: 'string', description: 'Folder for all data (default .matchyard, or MATCHYARD_DATA)' },
    verbose: { type: 'boolean', description: 'Tell more', default: false },
  },
  run: ({ args }) =>
    tellFailure(async () => {
      const startedAt = performance.now()
      const signals = hearStopSignals()
      const directory = resolve(args.data || process.env.MATCHYARD_DATA || '.matchyard')
      const { cacheMb, secret, logLevel, ...config } = readDevConfig(process.env)
      const host = args.host ?? config.host ?? '127.0.0.1'
      const logger = createLogger({ level: args.verbose ? 'debug' : logLevel, pretty: true })
      const storageLog = quietAtFirst(logger)
      const files = localFiles(directory)
      const storage = await storageOf(process.env.DATABASE_URL || defaultDatabaseUrl(directory), {
        logger: storageLog.logger,
        cacheMb,
      })
      const codes = new OneTimeCodes()
      const demoKeys = new DemoKeys(host)
      const service = await startService({
        storage,
        dataDirectory: directory,
        ...config,
        // On one's own machine images need no registry: those that were put into the engine may be tried.
        containers: { ...config.containers, localImages: process.env.DOCKER_LOCAL_IMAGES !== 'false' },
        secret: secret ?? files.secret,
        installationId: files.installationId,
        nodeId: `dev-${files.installationId}`,
        host,
        port: portOf(args.port ?? process.env.PORT, 8080),
        registration: 'open',
        app: { signInCodes: codes, referenceKeys: demoKeys.for },
        // A studio's backend is on this very machine while it is written.
        addresses: { allowLoopback: true, httpsOnly: false },
        payments: 'manual',
        metrics: 'open',
        wrongClock: 'warn',
        // The file in its own folder is accepted with any secret; another database has nodes with their secret.
        otherSecret: process.env.DATABASE_URL ? 'refuse' : 'warn',
        accessLevel: 'debug',
        isolation: 'in-a-line',
        logger,
        droppedLogLines: () => standardError().dropped,
      })
      storageLog.speak()
      tellFailures(service.matchyard, logger)
      // Signals are also obeyed during the creation of the demo.
      const stopped = signals.untilHeard(async (signal) => {
        standardError().write(signal === 'SIGINT' ? '\n  stopping …\n' : '  stopping …\n')
        // Ctrl-C ends the trial with its servers; a supervisor that restarts the service keeps its matches running.
        if (signal === 'SIGINT') await stopGameServers(storage, service.matchyard)
        await service.stop()
      })
      try {
        if (signals.heard !== undefined) return await stopped
        const credentials = await seedDemo(service, files, storage)
        demoKeys.set(credentials)
        const code = service.hasConsole ? codes.draw(credentials.account_id) : undefined
        if (signals.heard === undefined)
          printWelcome({ credentials, directory, code, startedInMs: performance.now() - startedAt })
      } catch (error) {
        // A demo that is made while the service stops comes to no good end.
        if (signals.heard === undefined) throw error
      }
      await stopped
    }),
})
