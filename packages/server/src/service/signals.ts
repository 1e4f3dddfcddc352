export type StopSignal = 'SIGTERM' | 'SIGINT'
export type HeardSignal = (signal: StopSignal) => void

/** Stop signals that were received since this object was created. */
export interface StopSignals {
  /** First received signal; undefined if none was received. */
  readonly heard: StopSignal | undefined
  /** Waits for a signal, or continues at once if one was received already, and runs `shutDown`. */
  untilHeard(shutDown: (signal: StopSignal) => Promise<void>): Promise<void>
}

/**
 * Listens for SIGTERM and SIGINT. Call it before the service can be reached, because a caller that sees the service up
 * may stop it at once. A signal during the start takes effect after the start; a second signal ends the process at
 * once. `parent` is the primary process, which also tells this process to stop. If `parent` is given, SIGINT is ignored
 * here, because a terminal sends Ctrl-C to all its processes.
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
