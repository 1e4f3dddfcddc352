/** A request of the page, in the form that the gallery's answers receive. */
export interface Asked {
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
  /** Whether the gallery shows the view's empty state. */
  readonly isEmpty: boolean
}

/** Answer of the gallery: a value, or a function of the request. */
export type Answer = object | ((asked: Asked) => unknown)

/** View of the gallery, with its address after `#`. */
export interface GalleryView {
  readonly name: string
  readonly path: string
  /** Whether the account of this view is an operator. */
  readonly isForOperators?: boolean
}

/** Gallery data of a section: its views, and the answers to their requests. */
export interface Fixtures {
  /** Each view of the section. */
  readonly views: readonly GalleryView[]
  /**
   * Answers by method and path, with a star for one segment of the path. Lists are given as arrays. In the gallery's
   * empty state every list is empty, and all other values stay.
   */
  readonly answers: Readonly<Record<string, Answer>>
}

/** Fixed time of the gallery. */
export const NOW = Date.parse('2026-03-14T15:09:26.000Z')

/** Returns the instant that is `seconds` before the gallery's fixed time, as ISO 8601 text. */
export const before = (seconds: number): string => new Date(NOW - seconds * 1_000).toISOString()
