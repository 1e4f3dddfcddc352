import type { AppOptions, MatchyardApp, NodeBindings } from '@matchyard/http'

type Served = Pick<MatchyardApp, 'fetch' | 'answer'>

/** Name that stands for the pages beside the API, such as the console, when `whyClosed` is asked about them. */
const PAGES = 'pages'

/** Returns a service whose pages beside the API do not exist for a caller if `whyClosed` has a reason for that caller. */
export function apiAlone(app: MatchyardApp, door: Served, whyClosed: AppOptions['whyClosed']): Served {
  if (whyClosed === undefined) return door
  return {
    answer: (incoming, outgoing) => app.answer(incoming, outgoing),
    fetch: (request, env) =>
      (whyClosed(PAGES, (env as NodeBindings | undefined)?.incoming) === undefined ? door : app).fetch(request, env),
  }
}
