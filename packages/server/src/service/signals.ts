export type StopSignal = 'SIGTERM' | 'SIGINT'

/** Waits for SIGTERM or SIGINT, then shuts down; a second one does not wait any longer. */
export function runUntilSignal(shutDown: (signal: StopSignal) => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopping = false
    const onSignal = (signal: StopSignal) => {
      if (stopping) process.exit(1)
      stopping = true
      shutDown(signal).then(resolve, reject)
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
  })
}
