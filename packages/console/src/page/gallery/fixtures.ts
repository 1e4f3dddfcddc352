/** A request of the page, as a fixture sees it. */
export interface Asked {
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
  /** Whether the view is shown as it is where there is nothing. */
  readonly isEmpty: boolean
}

/** Answer in the service's place: a value, or a function of the request. */
export type Answer = object | ((asked: Asked) => unknown)

/** Gallery data of a room: its paths, and the answers there. */
export interface Fixtures {
  /** Each view of the room, with its address after `#`. */
  readonly views: readonly { readonly name: string; readonly path: string }[]
  /**
   * Answers by method and path, with a star for one segment. Lists are given as arrays; in the gallery's empty state every list is empty, and
   * other values stay.
   */
  readonly answers: Readonly<Record<string, Answer>>
}

/** The instant at which the gallery stands still. */
export const NOW = Date.parse('2026-03-14T15:09:26.000Z')

/** Returns the instant so many seconds before the gallery's time. */
export const before = (seconds: number): string => new Date(NOW - seconds * 1_000).toISOString()
