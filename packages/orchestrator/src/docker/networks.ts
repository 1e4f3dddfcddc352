import type { NetworkCreateOptions } from 'dockerode'
import { asking, type Engine, statusOf } from './engine'

/** Options of a network in which containers cannot connect to each other. */
const ISOLATED = { 'com.docker.network.bridge.enable_icc': 'false' }

/** The address at which clouds provide the metadata of a machine, which may contain secrets. */
const METADATA_ADDRESS = '169.254.169.254'

export const DEFAULT_NETWORK = 'matchyard-servers'
/**
 * Name of an empty internal network whose subnet contains the metadata address. When a container in this network sends
 * a request to that address, the request goes to this network, where no host responds, and not to the network of the
 * machine.
 */
const SHIELD_NETWORK = 'matchyard-metadata-shield'

const shield: Partial<NetworkCreateOptions> = {
  Internal: true,
  IPAM: {
    Config: [
      {
        Subnet: '169.254.0.0/16',
        IPRange: '169.254.0.0/17',
        Gateway: '169.254.128.1',
        AuxiliaryAddresses: { metadata: METADATA_ADDRESS },
      } as never,
    ],
  },
  Options: { ...ISOLATED, 'com.docker.network.bridge.inhibit_ipv4': 'true' },
}

export interface Networks {
  readonly game: string
  /** The name of the shield network; undefined when it is turned off or the engine cannot create it. */
  readonly shield: string | undefined
}

/** Finds or creates the networks of game servers. Rejects when the operator named a network that does not exist. */
export async function ensureNetworks(engine: Engine, named: string | undefined, shielded: boolean): Promise<Networks> {
  if (named === undefined) await ensure(engine, DEFAULT_NETWORK, { Options: ISOLATED })
  else if (!(await exists(engine, named))) throw new Error(`the container engine has no network "${named}"`)
  return { game: named ?? DEFAULT_NETWORK, shield: shielded ? await ensureShield(engine) : undefined }
}

async function ensureShield(engine: Engine): Promise<string | undefined> {
  try {
    await ensure(engine, SHIELD_NETWORK, shield)
    return SHIELD_NETWORK
  } catch (error) {
    if (statusOf(error) === undefined) throw error
    return undefined // the engine does not support it, or its networks overlap
  }
}

const exists = async (engine: Engine, name: string): Promise<boolean> =>
  (await asking(engine.api.listNetworks({ filters: { name: [name] } }))).some(({ Name }) => Name === name)

async function ensure(engine: Engine, name: string, options: Partial<NetworkCreateOptions>): Promise<void> {
  if (await exists(engine, name)) return
  try {
    await asking(engine.api.createNetwork({ Name: name, Driver: 'bridge', CheckDuplicate: true, ...options }))
  } catch (error) {
    if (statusOf(error) !== 409 && !(await exists(engine, name))) throw error // else another service made the network
  }
}
