import type { Calls } from './calls/calls'
import type { Identity } from './calls/identity'
import type { Transport } from './follow/machine'
import type { Platform } from './platform'

/** State shared by a client's lobbies. */
export interface Session {
  readonly calls: Calls
  readonly identity: Identity
  readonly platform: Platform
  /** How a lobby is followed at first. */
  readonly transport: Transport
  /** Tells a developer, once, what is mended by itself. */
  log(sentence: string): void
  /** A lobby is followed no more. */
  closed(lobby: { readonly id: string; readonly closed: string | undefined }): void
}
