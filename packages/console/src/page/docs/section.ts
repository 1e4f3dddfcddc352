/** Part of a page that the search finds: a heading and the text below it. */
export interface Section {
  /** Path of the page below `/docs/`. */
  readonly path: string
  /** Anchor of the heading; empty for the text at the top of a page. */
  readonly anchor: string
  /** Title of the page. */
  readonly page: string
  /** Text of the heading; the title of the page for the text at its top. */
  readonly heading: string
  readonly text: string
}
