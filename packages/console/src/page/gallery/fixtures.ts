/** A request of the page, as a fixture sees it. */
export interface Asked {
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
  /** Whether the view is shown as it is where there is nothing. */
  readonly isEmpty: boolean
}

/** What is answered in the service's place: a value, or how it is made from what was asked. */
export type Answer = object | ((asked: Asked) => unknown)

/** What a room shows in the gallery, and what it is answered there. */
export interface Fixtures {
  /** Each view of the room, with its address after `#`. */
  readonly views: readonly { readonly name: string; readonly path: string }[]
  /**
   * By method and path, with a star for one part, as in the fixtures of lobbies. Lists are told as arrays. Where the gallery shows a view empty,
   * every list is; what is not a list is answered as it is.
   */
  readonly answers: Readonly<Record<string, Answer>>
}

/** The instant at which the gallery stands still. */
export const NOW = Date.parse('2026-03-14T15:09:26.000Z')

/** So many seconds before it. */
export const before = (seconds: number): string => new Date(NOW - seconds * 1_000).toISOString()
