import type { Beacon, Region, ServedRegion } from '../api/types'
import type { Platform } from '../platform'
import { pingByHttp } from './http-ping'
import type { Udp } from './udp-ping'

/** Milliseconds to each region that answered, by the region's code. */
export type Latencies = { readonly [Code in Region]?: number }

/** Maximum regions that are measured, and beacons of one region. */
const MAX_REGIONS = 32
const MAX_BEACONS = 3

/** Returns Node's modules for UDP; undefined in browsers. They are not imported, so that bundles for browsers have no trace of them. */
function udpOfRuntime(): Udp | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly getBuiltinModule?: (name: string) => unknown } | undefined
  }
  const [dgram, dns] = ['node:dgram', 'node:dns/promises'].map((name) => process?.getBuiltinModule?.(name))
  return dgram && dns ? ({ dgram, dns } as Udp) : undefined
}

/** Measures each address once, although a machine may serve several regions. The nearest beacon of a region counts. */
export async function latenciesOf(
  regions: readonly ServedRegion[],
  timeoutMs: number,
  platform: Platform,
): Promise<Latencies> {
  const udp = udpOfRuntime()
  const byUdp = new Map<string, Beacon>()
  const byHttp = new Set<string>()
  const named = regions.slice(0, MAX_REGIONS).map(({ region, beacons }) => {
    const usable = beacons.filter(({ udp_port, url }) => (udp && udp_port) || url).slice(0, MAX_BEACONS)
    const keys = usable.map((beacon) => {
      if (udp === undefined || beacon.udp_port === undefined) {
        byHttp.add(beacon.url ?? '')
        return beacon.url ?? ''
      }
      const key = `${beacon.host} ${beacon.udp_port}`
      byUdp.set(key, beacon)
      return key
    })
    return { region, keys }
  })
  const samples = new Map(
    await Promise.all([
      udp === undefined ? [] : import('./udp-ping').then(({ pingByUdp }) => pingByUdp(byUdp, timeoutMs, udp, platform)),
      pingByHttp(byHttp, timeoutMs, platform),
    ]).then((both) => both.flat()),
  )
  const measured = named.flatMap(({ region, keys }) => {
    const medians = keys.flatMap((key) => median(samples.get(key) ?? []) ?? [])
    return medians.length === 0 ? [] : [[region, Math.round(Math.min(...medians))]]
  })
  return Object.fromEntries(measured)
}

const median = (samples: readonly number[]): number | undefined =>
  [...samples].sort((a, b) => a - b)[Math.floor((samples.length - 1) / 2)]
