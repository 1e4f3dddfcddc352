/** Adds a listener for one event; returns a function that removes the listener. */
export type Listen = (happened: () => void) => () => void

/** Resolves when the first of several events happens, and then removes all listeners. */
export async function first(...listens: readonly Listen[]): Promise<void> {
  let stops: readonly (() => void)[] = []
  await new Promise<void>((resolve) => {
    stops = listens.map((listen) => listen(resolve))
  })
  for (const stop of stops) stop()
}

/**
 * Calls `run` when a signal is aborted, or at once if it is aborted already. Returns a function that removes the
 * listener.
 */
export function whenAborted(signal: AbortSignal | undefined, run: () => void): () => void {
  if (signal?.aborted) run()
  signal?.addEventListener('abort', run, { once: true })
  return () => signal?.removeEventListener('abort', run)
}

/** Throws the reason of an aborted signal. Implemented here, because React Native's signals lack `throwIfAborted`. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason ?? new Error('aborted')
}
