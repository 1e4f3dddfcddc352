/** Input of a call about one project. */
export interface InProject {
  readonly projectId: string
}
