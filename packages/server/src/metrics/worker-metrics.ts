import { Counter, Gauge, type Registry } from 'prom-client'

interface OfWorkers {
  /** Returns the number of workers that accept calls now. */
  readonly up: () => number
  /** Returns the number of the workers' log lines that were dropped. */
  readonly droppedLogLines: () => number
}

/**
 * Creates the metrics of the primary process about its workers. Returns a function to call when an ended worker is
 * started again.
 */
export function workerMetrics(registry: Registry, { up, droppedLogLines }: OfWorkers): () => void {
  const registers = [registry]
  new Gauge({
    name: 'matchyard_workers',
    help: 'Processes of this node that take calls.',
    registers,
    collect() {
      this.set(up())
    },
  })
  const restarts = new Counter({
    name: 'matchyard_worker_restarts_total',
    help: 'Workers that ended by themselves and were started again.',
    registers,
  })
  new Counter({
    name: 'matchyard_log_lines_dropped_total',
    help: 'Lines of the log that found no room, because its reader stalls or its disk is full.',
    registers,
    collect() {
      this.reset()
      this.inc(droppedLogLines())
    },
  })
  return () => restarts.inc()
}
