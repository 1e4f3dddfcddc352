export type StopSignal = 'SIGTERM' | 'SIGINT'
export type HeardSignal = (signal: StopSignal) => void

/** Stop signals that were received since this object was created. */
export interface StopSignals {
  /** First received signal; undefined if none was received. */
  readonly heard: StopSignal | undefined
  /** Waits for a signal and then runs `shutDown`; runs it at once if a signal was received already. */
  untilHeard(shutDown: (signal: StopSignal) => Promise<void>): Promise<void>
}

/**
 * Listens for SIGTERM and SIGINT. Call this function before the service can be reached, because another program may
 * stop the service as soon as it responds. A signal during the start takes effect after the start; a second signal ends
 * the process at once. `parent` is the primary process, which can also ask this process to stop. If `parent` is given,
 * SIGINT is ignored here, because a terminal sends Ctrl-C to the primary and to all workers.
 */
export function hearStopSignals(parent?: { hearStop(listener: HeardSignal): void }): StopSignals {
  let heard: StopSignal | undefined
  let obey: HeardSignal | undefined
  const onSignal = (signal: StopSignal) => {
    if (heard !== undefined) process.exit(1)
    heard = signal
    obey?.(signal)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', parent === undefined ? onSignal : () => {})
  parent?.hearStop((signal) => {
    if (heard === undefined) onSignal(signal)
  })
  return {
    get heard() {
      return heard
    },
    untilHeard: (shutDown) =>
      new Promise((resolve, reject) => {
        obey = (signal) => void shutDown(signal).then(resolve, reject)
        if (heard !== undefined) obey(heard)
      }),
  }
}
