import type { Calls } from './calls/calls'
import type { Identity } from './calls/identity'
import type { Transport } from './follow/machine'
import type { Platform } from './platform'

/** State that all lobbies of one client share. */
export interface Session {
  readonly calls: Calls
  readonly identity: Identity
  readonly platform: Platform
  /** Transport with which the client starts to follow each lobby. */
  readonly transport: Transport
  /** Reports a problem that the client handles itself; each sentence is reported once. */
  log(sentence: string): void
  /** Called when the client no longer follows a lobby. */
  closed(lobby: { readonly id: string; readonly closed: string | undefined }): void
}
