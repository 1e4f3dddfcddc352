import { nodeTimers } from '@matchyard/node'
import { defineCommand } from 'citty'
import { startAgent } from '../agent/run-agent'
import { readAgentConfig } from '../config/agent'
import { logLastWords } from '../service/last-words'
import { createLogger } from '../service/logging'
import { withinTheTime } from '../service/shutdown'
import { hearStopSignals } from '../service/signals'
import { tellFailure } from '../service/tell-failure'

/**
 * Runs the agent of a machine: it connects to a service and runs game servers for it. It needs no database and none of
 * the secrets of the service. Environment variables are the only configuration (docs/machines.md).
 */
export const agent = defineCommand({
  meta: {
    name: 'agent',
    description:
      'Run game servers on this machine for a service at MATCHYARD_URL, with the token in MATCHYARD_MACHINE_TOKEN. Configured by the environment.',
  },
  run: () =>
    tellFailure(async () => {
      const signals = hearStopSignals()
      const config = readAgentConfig(process.env)
      // Programs that this process starts must not inherit the token.
      delete process.env.MATCHYARD_MACHINE_TOKEN
      const logger = createLogger({ level: config.logLevel, pretty: false })
      logLastWords(logger)
      const running = await startAgent(config, logger)
      await signals.untilHeard(async (signal) => {
        logger.info('shutting down; game servers go on', { signal })
        await withinTheTime(() => running.stop(), { timers: nodeTimers(), logger, exit: () => process.exit(1) })
        logger.info('stopped')
      })
    }),
})
