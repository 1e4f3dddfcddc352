import { join } from 'node:path'
import { type AgentFacts, REGIONS } from '@matchyard/core'
import { AgentHands, type Logger, type Orchestrator, type SentBatch } from '@matchyard/core/ports'
import { agentHeaderOf } from '@matchyard/http'
import { cryptoRandom, nodeTimers, systemClock } from '@matchyard/node'
import { beaconsOf } from '../beacon/node-beacons'
import { openUdpBeacon } from '../beacon/udp-beacon'
import type { AgentConfig } from '../config/agent'
import { ConfigurationError } from '../config/configuration-error'
import { machineLoad } from '../service/machine-load'
import { orchestratorOf } from '../service/orchestrator'
import { drawnOnce, installationIdOf, makePrivateFolder } from '../service/private-files'
import { VERSION } from '../service/version'
import { Connection } from './connection'
import { lockFolder } from './folder-lock'
import { RemoteBuilds } from './remote-builds'
import { NoSuccess, ServiceCalls } from './service-calls'

export interface RunningAgent {
  /** Ends the stream, and releases the resources of the agent. Game servers continue. */
  stop(): Promise<void>
}

/** Starts an agent: takes its data folder, finds the game servers that run, and keeps a stream of the service open. */
export async function startAgent(config: AgentConfig, logger: Logger): Promise<RunningAgent> {
  const { dataDirectory, regions = REGIONS, serverHost } = config
  makePrivateFolder(dataDirectory)
  const lock = lockFolder(dataDirectory)
  const [clock, timers] = [systemClock(), nodeTimers()]
  warnOfPlainHttp(config.url, logger)
  const calls = new ServiceCalls(config.url, config.token)
  const builds = new RemoteBuilds(join(dataDirectory, 'fetching'), calls)
  await builds.sweep()
  const installationId = installationIdOf(dataDirectory)
  const orchestrator = orchestratorOf({ ...config, installationId }, { clock, buildStore: builds, logger })
  if (orchestrator === undefined) throw new ConfigurationError('ORCHESTRATOR: an agent needs process or docker')
  await orchestrator.open()
  const beacon =
    config.beaconPort === undefined
      ? undefined
      : await openUdpBeacon({ host: config.host, port: config.beaconPort, clock, timers })
  const facts = agentHeaderOf({
    agentId: drawnOnce(join(dataDirectory, 'agent'), 16),
    release: VERSION,
    regions,
    host: serverHost,
    ...ofOrchestrator(orchestrator),
    beacons: beaconsOf(config, serverHost),
  })
  const hands = new AgentHands({
    ...{ orchestrator, clock, timers, logger },
    load: async () => machineLoad(),
    send: (batch) => send(batch),
  })
  const connection = new Connection({
    ...{ calls, hands, facts, timers, logger },
    random: cryptoRandom(),
    onJoined: ({ machineId }) =>
      logger.info(`joined ${config.url} as ${machineId}, regions ${regions.join(', ')}; ready for game servers`),
  })
  const running = connection.run()
  return {
    async stop() {
      connection.stop()
      await running
      await beacon?.close()
      await orchestrator.close()
      lock.release()
    },
  }

  async function send(batch: Parameters<ServiceCalls['report']>[0]): Promise<SentBatch> {
    try {
      const taken = await calls.report(batch)
      connection.noteBatch(true)
      if (taken === 'foreign') connection.renew()
      return taken === 'heard' ? 'taken' : taken
    } catch (error) {
      const status = error instanceof NoSuccess ? error.status : undefined
      if (status === 400 || status === 413) {
        logger.error('the service refuses a batch of this agent', { error: String(error) })
        connection.renew()
      }
      connection.noteBatch(false)
      throw error
    }
  }
}

const ofOrchestrator = ({ limits = {}, capabilities }: Orchestrator): Pick<AgentFacts, 'limits' | 'capabilities'> => ({
  limits,
  capabilities,
})

/** Warns when the token would travel unencrypted over a network. */
function warnOfPlainHttp(url: string, logger: Logger): void {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'http:' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname))
    logger.warn('MATCHYARD_URL is not https: everybody on the way can read the token of this machine')
}
