import { lowerRole } from '../../catalog/roles'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { endKey } from '../../commit/rows/api-key'
import { endInvitations, endMember, handKey, writeMember } from '../../commit/rows/member'
import { transact } from '../../commit/transact'
import { orThrow, validationFailed } from '../../errors/service-error'
import { decideAddKeys, mayManage } from '../../member/decide'
import type { Member } from '../../member/member'
import type { Service } from '../../node/service'
import type { ApiKey } from '../../project/api-key'
import {
  type ActingPerson,
  type ByPerson,
  invitationsOf,
  liveKeysOf,
  requireActor,
  requireMember,
} from '../../reads/members'

/** Effects of a removal on the server keys of the member that do not expire. Other server keys of the member are always revoked. */
export const KEYS_AT_REMOVAL = ['revoke', 'hand_over'] as const
/** Effect of a removal on durable server keys, one of `KEYS_AT_REMOVAL`. */
export type KeysAtRemoval = (typeof KEYS_AT_REMOVAL)[number]

/** Member that is removed from a project. A member may remove itself. */
export interface RemoveMemberInput extends ByPerson {
  /** Account of the member. */
  readonly memberAccountId: string
  /**
   * Effect on the server keys of the member that do not expire. `hand_over`: they become keys of the person who makes the call, with a role of
   * at most that person. The removed member still knows their values. Default: `revoke`.
   */
  readonly keys?: KeysAtRemoval | undefined
}

/**
 * Removes a member. The same commit revokes the server keys of the member and removes its invitations, so no access remains after the call has
 * resolved. Client keys stay.
 */
export function removeMember(ctx: Service, input: RemoveMemberInput, call?: CallOptions): Promise<void> {
  return transact(ctx, call, async () => {
    const { keys = 'revoke', memberAccountId, personId } = input
    if (!KEYS_AT_REMOVAL.includes(keys)) {
      throw validationFailed([{ path: 'keys', message: `must be one of ${KEYS_AT_REMOVAL.join(', ')}` }])
    }
    const isItself = personId === memberAccountId
    const actor = await requireActor(ctx, input, isItself ? 'viewer' : 'admin')
    const { project } = actor
    const member = await requireMember(ctx, project.id, memberAccountId)
    if (!isItself) orThrow(mayManage(actor.role, member.role))
    else if (keys === 'hand_over') throw validationFailed([{ path: 'keys', message: 'cannot be handed to oneself' }])
    const draft = new Draft(ctx.clock.now())
    const live = await liveKeysOf(ctx, member, draft.at)
    const handed = live.filter(({ expiresAt }) => keys === 'hand_over' && expiresAt === undefined)
    for (const key of live) if (!handed.includes(key)) endKey(draft, key)
    const heir = personId ?? project.accountId
    for (const key of handed) {
      handKey(draft, key, { mintedBy: heir, role: lowerRole(key.role ?? member.role, actor.role) })
    }
    endMember(draft, member)
    const made = (await invitationsOf(ctx, project.id)).filter(({ invitedBy }) => invitedBy === member.accountId)
    endInvitations(draft, project.id, made)
    if (!isItself) await holdHeir(ctx, draft, actor, handed)
    return { draft, answer: undefined }
  })
}

/** Adds the keys to the record of the member who takes them over. A person who lost its role meanwhile makes the commit fail. */
async function holdHeir(
  ctx: Service,
  draft: Draft,
  { member }: ActingPerson,
  handed: readonly ApiKey[],
): Promise<void> {
  if (member === undefined) return
  if (handed.length === 0) {
    draft.check('member', member)
    return
  }
  const own = (await liveKeysOf(ctx, member, draft.at)).map(keyOf)
  writeMember(draft, member, orThrow(decideAddKeys(own, handed.map(keyOf))))
}

const keyOf = ({ id, expiresAt }: ApiKey): Member['keys'][number] =>
  expiresAt === undefined ? { id } : { id, expiresAt }
