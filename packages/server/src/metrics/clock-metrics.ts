import type { Clock } from '@matchyard/core/ports'
import { Counter, Gauge, type Registry } from 'prom-client'

/**
 * Creates the metrics that compare the service's clock with the machine's clock. Returns a function that receives the
 * service's clock once the clock exists.
 */
export function clockMetrics(registry: Registry): (clock: Clock) => void {
  const registers = [registry]
  let report: Clock['report']
  new Counter({
    name: 'matchyard_clock_steps_total',
    help: "Steps of the machine's clock by more than a second: it was set, or the machine was paused.",
    registers,
    collect() {
      this.reset()
      this.inc(report?.().steps ?? 0)
    },
  })
  new Gauge({
    name: 'matchyard_clock_offset_seconds',
    help: "How far the machine's clock is ahead of the service's; negative where it is behind, to which the service's never goes back.",
    registers,
    aggregator: 'min',
    collect() {
      this.set((report?.().offsetMs ?? 0) / 1_000)
    },
  })
  return (clock) => {
    report = clock.report?.bind(clock)
  }
}
