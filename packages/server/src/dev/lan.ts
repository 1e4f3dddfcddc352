import { isIPv6 } from 'node:net'
import { ConfigurationError } from '../config/configuration-error'
import type { Environment } from '../config/environment'
import type { ServiceOptions } from '../service/service-options'
import { type Interfaces, lanAddress } from './lan-address'
import { whyClosedOnLan } from './open-on-lan'

/** The mode of `dev` in which players on the same network can play. */
interface Lan {
  /** Address of this machine on the network, without brackets. */
  readonly address: string
  /** Address on which the service listens: every address of this machine. */
  readonly host: string
  /** Returns the options of the service that listens on a port. */
  options(port: number): Pick<ServiceOptions, 'publicUrl' | 'serverHost' | 'registration'>
  /** Decides which calls of other machines are answered. */
  readonly whyClosed: typeof whyClosedOnLan
}

interface Asked {
  /** Value of `--lan` on the command line: true, false, or an address. */
  readonly lan: boolean
  /** Words of the command line. The parser drops the value of an option that may stand without one. */
  readonly rawArgs: readonly string[]
  readonly hostOption: string | undefined
  readonly environment: Environment
  readonly interfaces: Interfaces
}

/** Variables that `--lan` sets itself. */
const OWN_VARIABLES = ['HOST', 'PUBLIC_URL', 'SERVER_HOST']

/**
 * Returns the mode for players on the same network; undefined without `--lan`. Throws ConfigurationError if the address
 * of this machine is not clear, or if another setting contradicts the mode.
 */
export function lanOf({ lan, rawArgs, hostOption, environment, interfaces }: Asked): Lan | undefined {
  if (!lan) return undefined
  const contrary = OWN_VARIABLES.filter((name) => (environment[name] ?? '') !== '')
  if (hostOption !== undefined) contrary.unshift('--host')
  if (contrary.length > 0) {
    throw new ConfigurationError(contrary.map((name) => `${name}: --lan sets it; leave it out, or leave out --lan`))
  }
  const named = rawArgs.findLast((word) => word.startsWith('--lan='))?.slice('--lan='.length)
  const address = lanAddress(named === 'true' ? undefined : named, interfaces)
  const inUrl = isIPv6(address) ? `[${address}]` : address
  return {
    address,
    host: isIPv6(address) ? '::' : '0.0.0.0',
    options: (port) => ({
      publicUrl: `http://${inUrl}:${port}`,
      serverHost: address,
      registration: 'closed',
    }),
    whyClosed: whyClosedOnLan,
  }
}
