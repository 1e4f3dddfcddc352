import type { Calls } from './calls/calls'
import type { Identity } from './calls/identity'
import type { Transport } from './follow/machine'
import type { Platform } from './platform'

/** State shared by a client's lobbies. */
export interface Session {
  readonly calls: Calls
  readonly identity: Identity
  readonly platform: Platform
  /** Transport with which the client begins to follow a lobby. */
  readonly transport: Transport
  /** Reports a problem that the client handles itself; each sentence is reported once. */
  log(sentence: string): void
  /** Called when a lobby is no longer followed. */
  closed(lobby: { readonly id: string; readonly closed: string | undefined }): void
}
