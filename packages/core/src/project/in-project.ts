/** A call on a project, by whoever may act for it. */
export interface InProject {
  readonly projectId: string
}
