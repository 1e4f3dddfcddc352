import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client'

/** What one process has measured, as prom-client writes it. */
export type Figures = readonly MetricObjectWithValues<MetricValue<string>>[]

/** What only grows. Gauges are of what is now, and end with their process. */
const isCount = ({ type, aggregator }: Figures[number]): boolean =>
  ['counter', 'histogram'].includes(String(type)) && aggregator === 'sum'

/**
 * The figures of several processes as one: what each has counted is added up, and what a process had counted when it was last asked
 * stays when it is gone. So no counter that was shown ever falls, whoever is asked and whoever ended: a fall would be read as a
 * restart, and all that the others had counted before as new.
 */
export class SummedFigures {
  private readonly last = new Map<number, Figures>()
  private gone: Promise<Figures> = Promise.resolve([])

  heard(worker: number, figures: Figures): void {
    this.last.set(worker, figures)
  }

  ended(worker: number): void {
    const left = this.last.get(worker)?.filter(isCount)
    this.last.delete(worker)
    if (left !== undefined) this.gone = this.gone.then((gone) => sumOf([gone, left]).getMetricsAsJSON())
  }

  /** Prometheus' text. `own`: of the process that adds up. */
  async page(own: Figures): Promise<string> {
    // Both at one instant: whoever ends meanwhile is counted once.
    const [gone, living] = [this.gone, [...this.last.values()]]
    return sumOf([...living, await gone, own]).metrics()
  }
}

const sumOf = (all: readonly Figures[]) => AggregatorRegistry.aggregate(all.map((figures) => [...figures]))
