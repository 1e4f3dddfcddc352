/** Adds a listener; returns a function that removes it. */
export type Listen = (happened: () => void) => () => void

/** Resolves at the first of several events, and then removes all listeners. */
export async function first(...listens: readonly Listen[]): Promise<void> {
  let stops: readonly (() => void)[] = []
  await new Promise<void>((resolve) => {
    stops = listens.map((listen) => listen(resolve))
  })
  for (const stop of stops) stop()
}

/** Calls `run` when a signal is aborted, at once if it is aborted already. Returns a function that stops this. */
export function whenAborted(signal: AbortSignal | undefined, run: () => void): () => void {
  if (signal?.aborted) run()
  signal?.addEventListener('abort', run, { once: true })
  return () => signal?.removeEventListener('abort', run)
}

/** Throws the reason of an aborted signal. Implemented here, because React Native's signals lack `throwIfAborted`. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason ?? new Error('aborted')
}
