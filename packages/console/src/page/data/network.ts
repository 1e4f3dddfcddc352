/**
 * The function that sends the page's requests, and the address of the service. The gallery of views replaces the
 * function and the address.
 */
export interface Network {
  /** Sends a request. */
  fetch(input: string, init: RequestInit): Promise<Response>
  /** Base URL of the service, without a slash at the end. */
  readonly baseUrl: string
}

/**
 * Returns the browser's own network. The service serves this page at `/console/`, possibly under a path of a site, so
 * the base URL is the parent folder.
 */
const ofThisPage = (): Network => ({
  fetch: (input, init) => fetch(input, init),
  baseUrl: new URL('..', document.baseURI).href.replace(/(?<!\/)\/+$/, ''),
})

let now: Network | undefined

export function network(): Network {
  now ??= ofThisPage()
  return now
}

/** Replaces the network. The gallery uses it to answer requests itself. */
export function useNetwork(other: Network): void {
  now = other
}

/** Returns the path of a URL as the API defines it, without the path under which the service is published. */
export function pathOf(url: string): string {
  const { pathname } = new URL(url, location.href)
  const { pathname: under } = new URL(network().baseUrl || '/', location.href)
  return under === '/' || !pathname.startsWith(`${under}/`) ? pathname : pathname.slice(under.length)
}

/** `fetch` for the client packages; it uses the page's network. */
export const fetchHere: typeof fetch = (input, init) => network().fetch(String(input), init ?? {})
