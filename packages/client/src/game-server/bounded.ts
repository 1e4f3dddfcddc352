/**
 * Runs `work` with a signal that aborts when a given signal aborts or a timeout ends. The listener and the timer are
 * removed when the work ends, so a long-lived signal collects no listeners. `goOn` restarts the timeout.
 */
export async function bounded<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal, goOn: () => void) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error(`no data came for ${ms / 1_000} s`)), ms).unref()
  const follow = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', follow, { once: true })
  try {
    return await work(controller.signal, () => void timer.refresh())
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', follow)
  }
}
