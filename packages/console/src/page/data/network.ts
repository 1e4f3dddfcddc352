/** How the page reaches the network, and where the service is. The gallery puts its own answers in the place of both. */
export interface Network {
  /** Sends a request. */
  fetch(input: string, init: RequestInit): Promise<Response>
  /** Where the service is, without a slash at the end. */
  readonly baseUrl: string
}

/** The page is served by the service itself, under `/console`. */
const ofThisPage = (): Network => ({
  fetch: (input, init) => fetch(input, init),
  baseUrl: location.href.replace(/\/console(\/.*)?([?#].*)?$/, '').replace(/\/+$/, ''),
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

/** `fetch` as the client packages take it. */
export const fetchHere: typeof fetch = (input, init) => network().fetch(String(input), init ?? {})
