/** A call on a project by an authorized caller. */
export interface InProject {
  readonly projectId: string
}
