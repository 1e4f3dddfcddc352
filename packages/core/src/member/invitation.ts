import type { Role } from '../catalog/roles'
import { type DrawsNumber, drawValue, isKeyValue } from '../project/key-value'
import { DAY_MS, type Instant } from '../shared/time'

/** Milliseconds for which an invitation can be used: 7 days. */
export const INVITATION_LIFETIME_MS = 7 * DAY_MS

/** Invitation of a person to a project. It works once: the commit that adds the member removes it. */
export interface Invitation {
  /** Id of the invitation: `inv_` and a ULID. */
  readonly id: string
  /** Version, which grows by one with each change. */
  readonly version: number
  /** Project of the invitation. */
  readonly projectId: string
  /** SHA-256 of the token in hexadecimal digits. The token is not stored. */
  readonly tokenHash: string
  /** Role that the account gets. */
  readonly role: Role
  /** E-mail address for which the invitation is meant, as text for lists; null without one. Any account may use the invitation. */
  readonly email: string | null
  /** Account that made the invitation; null for the embedding application. */
  readonly invitedBy: string | null
  /** Time of creation. */
  readonly createdAt: Instant
  /** Instant from which the invitation is refused. */
  readonly expiresAt: Instant
}

/** Whether an invitation can no longer be used because of its age. */
export const isOver = ({ expiresAt }: Pick<Invitation, 'expiresAt'>, at: Instant): boolean => expiresAt <= at

const PREFIX = 'inv_live_'
const SHAPE = /^inv_live_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/** Returns a new token of an invitation. Its form is that of an API key, with another prefix. */
export const drawInvitationToken = (int: DrawsNumber): string => drawValue(PREFIX, int)

/** Whether a text has the form and the checksum of an invitation's token. */
export const isInvitationToken = (text: string): boolean => isKeyValue(text, SHAPE)
