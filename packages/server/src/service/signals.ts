export type StopSignal = 'SIGTERM' | 'SIGINT'
export type HeardSignal = (signal: StopSignal) => void

/** Signals that are heard from the moment it was made on. */
export interface StopSignals {
  /** Received signal, if any. */
  readonly heard: StopSignal | undefined
  /** Waits for one, or goes on at once where one has come, and shuts down. */
  untilHeard(shutDown: (signal: StopSignal) => Promise<void>): Promise<void>
}

/**
 * Hears SIGTERM and SIGINT from now on: before anybody can reach the service, for whoever sees that it is up may stop it at once. One
 * that comes during the start is obeyed after it; a second one does not wait any longer. `parent`: who tells this process besides,
 * and alone hears the Ctrl-C of a terminal, which goes to every process there.
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
