/** How the page reaches the network, and where the service is. The gallery puts its own answers in the place of both. */
export interface Network {
  /** Sends a request. */
  fetch(input: string, init: RequestInit): Promise<Response>
  /** Where the service is, without a slash at the end. */
  readonly baseUrl: string
}

/** The page is served by the service itself, at `/console/`, which may be under a path of a site. */
const ofThisPage = (): Network => ({
  fetch: (input, init) => fetch(input, init),
  baseUrl: new URL('..', document.baseURI).href.replace(/(?<!\/)\/+$/, ''),
})

let now: Network | undefined

export function network(): Network {
  now ??= ofThisPage()
  return now
}

/** For the gallery: from here on these answer. */
export function useNetwork(other: Network): void {
  now = other
}

/** The path of a URL as the interface has it, without what the service stands under. */
export function pathOf(url: string): string {
  const { pathname } = new URL(url, location.href)
  const { pathname: under } = new URL(network().baseUrl || '/', location.href)
  return under === '/' || !pathname.startsWith(`${under}/`) ? pathname : pathname.slice(under.length)
}

/** `fetch` as the client packages take it. */
export const fetchHere: typeof fetch = (input, init) => network().fetch(String(input), init ?? {})
