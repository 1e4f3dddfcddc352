import type { Instant } from '../shared/time'
import type { MachineFacts, MachineRest } from './record'

/** Events of a machine. */
export type MachineEvent =
  | { readonly type: 'machine_reported'; readonly facts: MachineFacts }
  /** The machine has sent no report for so long that it is lost. Its next report ends this. */
  | { readonly type: 'machine_lost'; readonly lostAt: Instant }
  | { readonly type: 'machine_cordoned' }
  | { readonly type: 'machine_uncordoned' }
  | { readonly type: 'machine_drain_begun'; readonly drainBy: Instant | null }
  /** The machine was draining, and its last server has ended. */
  | { readonly type: 'machine_drained' }
  | { readonly type: 'machine_rested'; readonly rest: MachineRest }
  /** An operator made a token for the machine's agent. A token that the agent had before stops working. */
  | { readonly type: 'machine_token_minted'; readonly tokenHash: string }
  | { readonly type: 'machine_token_revoked' }
  /** A node began to host the machine for a new stream of its agent. The session before it is over. */
  | { readonly type: 'machine_hosted'; readonly session: string }
  /** A launch succeeded, so the next pause is short again. */
  | { readonly type: 'machine_recovered' }
