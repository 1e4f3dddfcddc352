import { isIP, isIPv6 } from 'node:net'
import type { NetworkInterfaceInfo } from 'node:os'
import { ConfigurationError } from '../config/configuration-error'

/** Network interfaces of this machine by name, as `os.networkInterfaces()` returns them. */
export type Interfaces = Readonly<Partial<Record<string, readonly NetworkInterfaceInfo[]>>>

/** Maximum number of addresses that an error lists. */
const MAX_TOLD = 8

/** Names of interfaces that lead to containers, virtual machines and private tunnels, and not to the local network. */
const VIRTUAL =
  /^(?:docker|br-|veth|virbr|vnet|vmnet|vboxnet|virtualbox|vmware|vethernet|cni|flannel|cali|kube|nerdctl|podman|lxc|lxd|incus|tun|tap|utun|wg|tailscale|zt|ifb|dummy|bridge\d{3}|awdl|llw|ham)/i
const PRIVATE = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/
/** Addresses that machines give themselves on a cable or a network without DHCP. */
const SELF_GIVEN = /^169\.254\./

interface Address {
  readonly address: string
  readonly name: string
}

/**
 * Returns the address of this machine on the local network: the named address if this machine has it, and otherwise the
 * only private IPv4 address of an interface that is not virtual. Throws ConfigurationError, with the addresses that
 * `--lan` can name, if the choice is not clear.
 */
export function lanAddress(named: string | undefined, interfaces: Interfaces): string {
  const all = addressesOf(interfaces)
  if (named !== undefined) return ownAddress(named, all)
  const real = all.filter(({ address, name }) => !isLoopback(address) && !VIRTUAL.test(name))
  const ofTier = (tier: RegExp) => real.filter(({ address }) => tier.test(address))
  const found = [ofTier(PRIVATE), ofTier(SELF_GIVEN)].find(({ length }) => length > 0) ?? []
  const [first, second] = found
  if (first !== undefined && second === undefined) return first.address
  if (first !== undefined) {
    throw fault(`this machine has several addresses: ${told(found)}; name one, like --lan=${first.address}`)
  }
  const others = all.filter(({ address }) => !isLoopback(address))
  const offer = others[0] === undefined ? 'connect it to a network' : `name an address, like --lan=${others[0].address}`
  const has = others.length === 0 ? '' : ` (it has ${told(others)})`
  throw fault(`this machine has no private IPv4 address on a local network${has}; ${offer}`)
}

/** Returns the named address in its usual spelling. Throws ConfigurationError if this machine does not have it. */
function ownAddress(named: string, all: readonly Address[]): string {
  if (isIP(named) === 0 || named.includes('%')) {
    throw fault(`${JSON.stringify(named)} is not an address; give one like --lan=192.168.1.20`)
  }
  const wanted = spelled(named)
  if (/^fe[89ab]/i.test(wanted)) {
    throw fault(`${named} is an IPv6 link-local address, which no URL can hold; name another address`)
  }
  if (all.some(({ address }) => spelled(address) === wanted)) return wanted
  throw fault(`this machine has no address ${named}; it has ${told(all)}`)
}

/** Returns the addresses of all interfaces in a fixed order: by the interface's name, IPv4 first. */
function addressesOf(interfaces: Interfaces): readonly Address[] {
  const names = Object.keys(interfaces).sort()
  return names.flatMap((name) => {
    const addresses = (interfaces[name] ?? []).map(({ address }) => address)
    const sorted = [...addresses.filter((one) => !isIPv6(one)).sort(), ...addresses.filter(isIPv6).sort()]
    return sorted.filter((address) => !/^fe[89ab]/i.test(address)).map((address) => ({ address, name }))
  })
}

const isLoopback = (address: string) => /^(?:127\.|::1$)/.test(address)

/** Returns an IP address in the one spelling that URLs use. */
const spelled = (address: string): string =>
  isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address

function told(addresses: readonly Address[]): string {
  const shown = addresses.slice(0, MAX_TOLD).map(({ address, name }) => `${address} (${name})`)
  return [...shown, ...(addresses.length > MAX_TOLD ? [`${addresses.length - MAX_TOLD} more`] : [])].join(', ')
}

const fault = (sentence: string) => new ConfigurationError([`--lan: ${sentence}`])
