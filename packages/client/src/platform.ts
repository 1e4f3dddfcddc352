/**
 * Functions of the platform that the client uses. Each function can be replaced, so that a game can be tested without a
 * network or a clock.
 */
export interface Platform {
  /** Sends a request; the global `fetch` by default. */
  readonly fetch: typeof fetch
  /** Returns the milliseconds since 1970, by a clock that also counts the time in which the machine sleeps. */
  now(): number
  /** Calls `run` once after this many milliseconds; returns a function that cancels the call. */
  after(milliseconds: number, run: () => void): () => void
  /** Returns a random number from 0 to just under 1. */
  random(): number
  /** Adds listeners for events of the web page; returns a function that removes them. Absent when there is no page. */
  watchPage?(page: PageEvents): () => void
}

/** Events of a web page. */
export interface PageEvents {
  /** The page is about to be frozen or suspended. */
  pause(): void
  /** The page runs again. */
  resume(): void
  /** The page is visible again, or the network is available again: a good time to retry. */
  wake(): void
}

/** The functions of the runtime itself. */
export const systemPlatform: Platform = {
  // The global `fetch` is looked up at each call, because some games replace it later.
  fetch: (input, init) => fetch(input, init),
  now: () => Date.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
  random: Math.random,
  watchPage,
}

interface Source {
  readonly addEventListener?: (type: string, run: () => void, options: { readonly signal: AbortSignal }) => void
}

function watchPage({ pause, resume, wake }: PageEvents): () => void {
  const page = globalThis as Source & { readonly document?: Source & { readonly visibilityState?: string } }
  const { document } = page
  const looked = () => {
    if (document?.visibilityState === 'visible') wake()
  }
  const wanted: [Source | undefined, string, () => void][] = [
    [page, 'online', wake],
    [page, 'pagehide', pause],
    [page, 'pageshow', resume],
    [document, 'freeze', pause],
    [document, 'resume', resume],
    [document, 'visibilitychange', looked],
  ]
  const watching = new AbortController()
  for (const [source, type, run] of wanted) source?.addEventListener?.(type, run, watching)
  return () => watching.abort()
}
