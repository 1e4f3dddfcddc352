import type { InProject } from '../project/in-project'

/** Call that a game server makes about itself, with the token of one attempt. */
export interface SelfCall extends InProject {
  /** Id of the calling server: `srv_` and a ULID. */
  readonly instanceId: string
  /** Number of the attempt that the caller's token belongs to, from 1. */
  readonly attempt: number
}
