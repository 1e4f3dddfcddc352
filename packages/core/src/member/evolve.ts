import type { Instant } from '../shared/time'
import type { MemberEvent } from './events'
import type { Member } from './member'

/** Returns the member after events, with the next version; the same value when there are no events. */
export function evolveMember(member: Member, events: readonly MemberEvent[], at: Instant): Member {
  if (events.length === 0) return member
  return { ...events.reduce(after, member), version: member.version + 1, updatedAt: at }
}

function after(member: Member, event: MemberEvent): Member {
  switch (event.type) {
    case 'member_role_set':
      return { ...member, role: event.role }
    case 'member_invited':
      return member
    case 'member_keys_set':
      return { ...member, keys: event.keys }
  }
}
