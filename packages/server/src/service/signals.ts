export type StopSignal = 'SIGTERM' | 'SIGINT'

/** Signals that are heard from the moment it was made on. */
export interface StopSignals {
  /** The one that came, if one has. */
  readonly heard: StopSignal | undefined
  /** Waits for one, or goes on at once where one has come, and shuts down. */
  untilHeard(shutDown: (signal: StopSignal) => Promise<void>): Promise<void>
}

/**
 * Hears SIGTERM and SIGINT from now on: before anybody can reach the service, for whoever sees that it is up may stop it at once. One
 * that comes during the start is obeyed after it; a second one does not wait any longer.
 */
export function hearStopSignals(): StopSignals {
  let heard: StopSignal | undefined
  let obey: ((signal: StopSignal) => void) | undefined
  const onSignal = (signal: StopSignal) => {
    if (heard !== undefined) process.exit(1)
    heard = signal
    obey?.(signal)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
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
