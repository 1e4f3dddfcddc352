import type { Role } from '../catalog/roles'
import type { MemberKey } from './member'

/** Changes of a member. */
export type MemberEvent =
  | { readonly type: 'member_role_set'; readonly role: Role }
  /** The member made an invitation. The record gets a new version, so this commit and the removal of the member conflict. */
  | { readonly type: 'member_invited' }
  | { readonly type: 'member_keys_set'; readonly keys: readonly MemberKey[] }
