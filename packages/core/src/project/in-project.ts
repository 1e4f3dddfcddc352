/** Input of a call about one project. */
export interface InProject {
  /** Project of the call: `prj_` and a ULID. */
  readonly projectId: string
}
