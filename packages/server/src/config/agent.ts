import { resolve } from 'node:path'
import type { Region } from '@matchyard/core'
import type { NodeLimits } from '@matchyard/core/ports'
import type { Certificate } from '@matchyard/orchestrator/process'
import { hostName, publicUrl } from './addresses'
import { ConfigurationError } from './configuration-error'
import type { ContainerOptions } from './containers'
import { type Environment, environmentSchema, type LOG_LEVELS } from './environment'
import {
  certificateFaults,
  certificateOf,
  containersOf,
  dockerOnly,
  limitsOf,
  limitsOnly,
  orThrow,
} from './serve-config'
import { anyText, Fault, oneOf, setting } from './setting'

/** Orchestrators that an agent can run. */
const AGENT_ORCHESTRATORS = ['process', 'docker'] as const
const DEFAULT_DATA_DIRECTORY = 'matchyard-agent'

const machineToken = (text: string) =>
  /^mt_live_[0-9A-Za-z]{1,128}$/.test(text)
    ? text
    : new Fault('it is not the token of a machine; make one with: matchyard machines token fra-1')

const agentSchema = environmentSchema
  .pick({
    GAME_TLS_CERT_FILE: true,
    GAME_TLS_KEY_FILE: true,
    BEACON_PORT: true,
    BEACON_URL: true,
    HOST: true,
    LOG_LEVEL: true,
    REGIONS: true,
  })
  .extend({ ...limitsOnly.shape, ...dockerOnly.shape })
  .extend({
    MATCHYARD_URL: setting(
      publicUrl,
      new Fault('it is not set; give the address of the service, like https://matchyard.example.com'),
    ),
    MATCHYARD_MACHINE_TOKEN: setting(
      machineToken,
      new Fault('it is not set; make a token with: matchyard machines token fra-1'),
    ),
    MATCHYARD_DATA: setting(anyText, DEFAULT_DATA_DIRECTORY),
    ORCHESTRATOR: setting(oneOf(AGENT_ORCHESTRATORS), 'process'),
    SERVER_HOST: setting(
      hostName,
      new Fault('it is not set; give the name or address at which players reach this machine'),
    ),
  })

/** Configuration of `matchyard agent`. */
export interface AgentConfig {
  /** Address of the service, without a slash at its end. */
  readonly url: string
  /** Token of the machine. */
  readonly token: string
  readonly dataDirectory: string
  readonly serverHost: string
  readonly regions: readonly Region[] | undefined
  readonly orchestrator: (typeof AGENT_ORCHESTRATORS)[number]
  readonly containers: ContainerOptions
  readonly limits: NodeLimits
  readonly certificate: Certificate | undefined
  /** Address on which the UDP beacon listens. */
  readonly host: string
  readonly beaconPort: number | undefined
  readonly beaconUrl: string | undefined
  readonly logLevel: (typeof LOG_LEVELS)[number]
}

/** Returns the configuration of `matchyard agent`; ignores all other variables. Throws ConfigurationError with one line for every fault. */
export function readAgentConfig(environment: Environment): AgentConfig {
  const data = orThrow(agentSchema.safeParse(environment))
  const wrong = [...certificateFaults(data)]
  if (wrong.length > 0) throw new ConfigurationError(wrong.map(([name, fault]) => `${name}: ${fault}`))
  return {
    url: data.MATCHYARD_URL.replace(/\/$/, ''),
    token: data.MATCHYARD_MACHINE_TOKEN,
    dataDirectory: resolve(data.MATCHYARD_DATA),
    serverHost: data.SERVER_HOST,
    regions: data.REGIONS,
    orchestrator: data.ORCHESTRATOR,
    containers: containersOf(data),
    limits: limitsOf(data),
    certificate: certificateOf(data),
    host: data.HOST,
    beaconPort: data.BEACON_PORT,
    beaconUrl: data.BEACON_URL,
    logLevel: data.LOG_LEVEL,
  }
}
