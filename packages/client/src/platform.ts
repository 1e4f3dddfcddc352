/** Platform functions that the client uses. Each one can be replaced, so that a game can be tested without a network or a clock. */
export interface Platform {
  /** Sends a request; the global `fetch` unless given. */
  readonly fetch: typeof fetch
  /** Milliseconds since 1970, by a clock that also counts the time in which the machine slept. */
  now(): number
  /** Calls back once after so many milliseconds; answers how to call that off. */
  after(milliseconds: number, run: () => void): () => void
  /** From 0 to just under 1. */
  random(): number
  /** Tells what becomes of the page; answers how to stop listening. Absent: there is no page. */
  watchPage?(page: PageEvents): () => void
}

/** Events of a page. */
export interface PageEvents {
  /** The page is about to be frozen or suspended. */
  pause(): void
  /** The page runs again. */
  resume(): void
  /** The page is visible again, or the network is back: a good moment to retry. */
  wake(): void
}

/** The runtime's own. */
export const systemPlatform: Platform = {
  // Looked up at each call, as some games put another one in its place later.
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
