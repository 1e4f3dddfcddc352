import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client'

/** Metrics of one process, as prom-client writes them. */
export type Figures = readonly MetricObjectWithValues<MetricValue<string>>[]

/**
 * Whether a metric only grows. Gauges show the current state of a process, so their values are dropped when the process
 * ends.
 */
const isCount = ({ type, aggregator }: Figures[number]): boolean =>
  ['counter', 'histogram'].includes(String(type)) && aggregator === 'sum'

/**
 * Sums the metrics of several processes. The last counters of an ended process stay in the sum, so a shown counter
 * never decreases. Prometheus would interpret a decrease as a restart, and count all earlier values as new.
 */
export class SummedFigures {
  private readonly last = new Map<number, Figures>()
  private gone: Promise<Figures> = Promise.resolve([])
  private readonly shown = new Map<string, number>()

  heard(worker: number, figures: Figures): void {
    this.last.set(worker, figures)
  }

  ended(worker: number): void {
    const left = this.last.get(worker)?.filter(isCount)
    this.last.delete(worker)
    if (left !== undefined) this.gone = this.gone.then((gone) => sumOf([gone, left]).getMetricsAsJSON())
  }

  /** Returns the sums as text for Prometheus. `own` holds the metrics of the process that makes the sums. */
  async page(own: Figures): Promise<string> {
    // `gone` and `last` are read at the same time, so that a process that ends during the wait is counted once.
    const [gone, living] = [this.gone, [...this.last.values()]]
    const sum = sumOf([...living, await gone, own])
    for (const figure of await sum.getMetricsAsJSON()) if (isCount(figure)) this.neverLess(figure)
    return sum.metrics()
  }

  /**
   * Raises each value that is lower than its last shown value. Sums of fractions can become slightly lower when the
   * order of addition changes.
   */
  private neverLess({ name, values }: Figures[number]): void {
    for (const one of values as { value: number; metricName?: string; labels: object }[]) {
      const series = `${one.metricName ?? name} ${JSON.stringify(Object.entries(one.labels).sort())}`
      one.value = Math.max(one.value, this.shown.get(series) ?? one.value)
      this.shown.set(series, one.value)
    }
  }
}

const sumOf = (all: readonly Figures[]) => AggregatorRegistry.aggregate(all.map((figures) => [...figures]))
