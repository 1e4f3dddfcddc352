import { lookup } from 'node:dns/promises'
import { nodeTimers } from '@matchyard/node'
import { openUdpBeacon } from '../beacon/udp-beacon'
import { isPostgresUrl } from '../config/database-url'
import { requireFreePort } from '../service/listen'
import { type Check, fail, ok, warn } from './check'

const REACH_MS = 5_000
const LOOPBACK = /^(localhost|127\.|\[?::1)/

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error)

/** Whether a Matchyard service responds at this address. */
async function answersAt(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/livez`, { signal: AbortSignal.timeout(REACH_MS) })
    return response.ok
  } catch {
    return false
  }
}

/** Whether a beacon answers a GET request of this URL, as `/ping` does. */
async function isEmptyAnswer(url: string): Promise<boolean> {
  try {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(REACH_MS) })
    return status === 204
  } catch {
    return false
  }
}

const port: Check = {
  name: 'port',
  mend: 'stop what listens there, or give another port with PORT',
  async look({ config: { host, port: wanted } }) {
    try {
      await requireFreePort(host, wanted)
      return ok(wanted === 0 ? 'any free port will be taken' : `port ${wanted} is free`)
    } catch (error) {
      if (codeOf(error) === 'EADDRINUSE' && (await answersAt(`http://127.0.0.1:${wanted}`))) {
        return ok(`a service answers on port ${wanted} already`)
      }
      return fail(`port ${wanted} of ${host} cannot be used (${codeOf(error)})`)
    }
  },
}

const publicUrl: Check = {
  name: 'public-url',
  mend: 'export PUBLIC_URL=https://matchyard.example.com, the address that players and game servers reach',
  async look({ faults, config: { publicUrl: url, port: wanted } }) {
    const fault = faults.get('PUBLIC_URL')
    if (fault !== undefined) return fail(`PUBLIC_URL: ${fault}`)
    if (url === undefined) return warn('PUBLIC_URL is not set: upload URLs name the address that the caller used')
    const { hostname, protocol } = new URL(url)
    try {
      await lookup(hostname.replace(/^\[|\]$/g, ''))
    } catch (error) {
      return fail(`the host of PUBLIC_URL, ${hostname}, cannot be found (${codeOf(error)})`)
    }
    if (await answersAt(url)) return protocol === 'https:' ? ok(`${url} answers`) : warn(`${url} answers, without TLS`)
    const runs = wanted !== 0 && (await answersAt(`http://127.0.0.1:${wanted}`))
    return runs ? fail(`the service runs, but not at ${url}`) : warn(`nothing answers at ${url} yet`)
  },
}

const peerUrl: Check = {
  name: 'peer-url',
  mend: 'export PEER_URL=http://10.0.0.11:8080, the address at which the other nodes reach this one',
  async look({ faults, config: { peerUrl: url, orchestrator, databaseUrl, port: wanted } }) {
    const fault = faults.get('PEER_URL')
    if (fault !== undefined) return fail(`PEER_URL: ${fault}`)
    if (orchestrator === 'none') return ok('no game servers are launched here, so no other node asks for their logs')
    if (orchestrator === 'agones') return ok('every node reads the logs of the cluster’s game servers by itself')
    if (!isPostgresUrl(databaseUrl)) return ok('there are no other nodes on a SQLite file')
    if (url === undefined)
      return warn(
        orchestrator === 'agents'
          ? 'PEER_URL is not set: other nodes cannot pass on the reports of agents whose connection is here'
          : 'PEER_URL is not set: other nodes cannot tell the logs of game servers that run here',
      )
    const { hostname } = new URL(url)
    if (LOOPBACK.test(hostname)) return warn(`${url} is this machine for each node, so only nodes on it can ask`)
    if (await answersAt(url)) return ok(`${url} answers`)
    const runs = wanted !== 0 && (await answersAt(`http://127.0.0.1:${wanted}`))
    return runs ? fail(`the service runs, but not at ${url}`) : warn(`nothing answers at ${url} yet`)
  },
}

const serverHost: Check = {
  name: 'server-host',
  mend: 'export SERVER_HOST=play.example.com, the address at which players reach the game servers of this machine',
  look({ config: { orchestrator, serverHost: host, publicUrl: url } }) {
    if (orchestrator === 'none' || orchestrator === 'agents') return ok('no game servers are launched here')
    if (orchestrator === 'agones') return ok('players are told the addresses of the cluster’s nodes')
    const told = host ?? (url === undefined ? undefined : new URL(url).hostname)
    if (told === undefined || LOOPBACK.test(told)) {
      return warn(`players would be sent to ${told ?? '127.0.0.1'}, which only this machine reaches`)
    }
    return ok(`players are sent to ${told}`)
  },
}

const beacon: Check = {
  name: 'beacon',
  mend: 'give another UDP port with BEACON_PORT, and a BEACON_URL that reaches /ping of this node',
  async look({ faults, config: { beaconPort, beaconUrl: url, host, port: wanted } }) {
    const fault = faults.get('BEACON_PORT') ?? faults.get('BEACON_URL')
    if (fault !== undefined) return fail(fault)
    if (beaconPort === undefined && url === undefined)
      return ok('players’ clients measure no latencies to this machine')
    const runs = wanted !== 0 && (await answersAt(`http://127.0.0.1:${wanted}`))
    if (beaconPort !== undefined && !runs) {
      const opened = await openUdpBeacon({ host, port: beaconPort, clock: { now: () => 0 }, timers: nodeTimers() })
      await opened.close()
    }
    if (url === undefined) return ok(`the UDP port ${beaconPort} can be used; browsers cannot measure (BEACON_URL)`)
    if (await isEmptyAnswer(url)) return ok(`${url} answers`)
    return runs ? fail(`the service runs, but its /ping is not at ${url}`) : warn(`nothing answers at ${url} yet`)
  },
}

export const NETWORK_CHECKS: readonly Check[] = [port, publicUrl, peerUrl, serverHost, beacon]
