import type { InProject } from '../project/in-project'

/** A call of the game server itself, by the token of one attempt. */
export interface SelfCall extends InProject {
  readonly instanceId: string
  readonly attempt: number
}
