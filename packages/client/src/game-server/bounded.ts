/**
 * One signal of another one and a time, both of which end with the work: nothing is left hanging on a signal that lives for long.
 * `goOn` begins the time anew.
 */
export async function bounded<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal, goOn: () => void) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error(`nothing came for ${ms / 1_000} s`)), ms).unref()
  const follow = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', follow, { once: true })
  try {
    return await work(controller.signal, () => void timer.refresh())
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', follow)
  }
}
