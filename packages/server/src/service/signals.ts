/** Waits for SIGTERM or SIGINT, then shuts down; a second one does not wait any longer. */
export function runUntilSignal(shutDown: (signal: 'SIGTERM' | 'SIGINT') => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopping = false
    const onSignal = (signal: 'SIGTERM' | 'SIGINT') => {
      if (stopping) process.exit(1)
      stopping = true
      process.stderr.write(signal === 'SIGINT' ? '\n  stopping …\n' : '  stopping …\n')
      shutDown(signal).then(resolve, reject)
    }
    process.on('SIGTERM', () => onSignal('SIGTERM'))
    process.on('SIGINT', () => onSignal('SIGINT'))
  })
}
