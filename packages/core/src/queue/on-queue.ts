import type { InProject } from '../project/in-project'

/** Input of a call about one queue. */
export interface OnQueue extends InProject {
  /** Id of the queue: 1 to 64 characters of a-z, 0-9 and underscore. */
  readonly queueId: string
}
