/** Listens for something; answers how to stop. */
export type Listen = (happened: () => void) => () => void

/** Resolves with the first of several things that happens; listens for none of them any more then. */
export async function first(...listens: readonly Listen[]): Promise<void> {
  let stops: readonly (() => void)[] = []
  await new Promise<void>((resolve) => {
    stops = listens.map((listen) => listen(resolve))
  })
  for (const stop of stops) stop()
}

/** Calls back once a signal is aborted, at once where it is already; answers how to call that off. */
export function whenAborted(signal: AbortSignal | undefined, run: () => void): () => void {
  if (signal?.aborted) run()
  signal?.addEventListener('abort', run, { once: true })
  return () => signal?.removeEventListener('abort', run)
}

/** Throws why a signal was aborted, if it was. By hand, as React Native's signals cannot. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason ?? new Error('aborted')
}
