import type { InProject } from '../project/in-project'

/** Call that a game server makes about itself, with the token of one attempt. */
export interface SelfCall extends InProject {
  readonly instanceId: string
  readonly attempt: number
}
