import { Counter, type Registry } from 'prom-client'
import type { BeaconCounts } from '../beacon/udp-beacon'

const OUTCOMES = ['answered', 'limited', 'ignored'] as const

/** Returns the counts of the UDP beacon; undefined without one. */
export type BeaconSource = () => BeaconCounts | undefined

/** Creates the metrics of the UDP beacon. Returns a function that receives the source of its counts. */
export function beaconMetrics(registry: Registry): (counts: BeaconSource) => void {
  const registers = [registry]
  let counts: BeaconSource = () => undefined
  new Counter({
    name: 'matchyard_beacon_packets_total',
    help: 'Packets that the UDP beacon read: answered, not answered because of a limit, or no request.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset()
      const now = counts()
      for (const outcome of OUTCOMES) this.inc({ outcome }, now?.[outcome] ?? 0)
    },
  })
  new Counter({
    name: 'matchyard_beacon_pauses_total',
    help: 'Times that the UDP beacon read nothing for up to 0.1 s, because too many packets got no answer.',
    registers,
    collect() {
      this.reset()
      this.inc(counts()?.pauses ?? 0)
    },
  })
  return (source) => {
    counts = source
  }
}
