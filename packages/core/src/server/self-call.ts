import type { InProject } from '../project/in-project'

/** Call of a game server about itself, with the token of one attempt. */
export interface SelfCall extends InProject {
  readonly instanceId: string
  readonly attempt: number
}
