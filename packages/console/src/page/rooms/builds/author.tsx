import type { Build, Member } from '@matchyard/client/admin'
import { useProject, useRead } from '../../data/hooks'
import { Text } from '../../ui'

/** Returns the members of the project; an empty list until they are read, and when the reader may not read them. */
export function useMembers(): readonly Member[] {
  const { account, project } = useProject()
  const { value } = useRead(() => account.members.list(project.project_id), [account, project]).now
  return value.is === 'ready' ? value.data.members : []
}

/** Person or server key that uploaded or registered a build. */
export function Author({
  of: { created_by: by },
  members,
}: {
  readonly of: Pick<Build, 'created_by'>
  readonly members: readonly Member[]
}) {
  if (by === null) return <span class="quiet">unknown</span>
  if (by.kind === 'embedded') return <span class="quiet">the game's own program</span>
  if (by.kind === 'key') return <Text>{`key ${by.name ?? by.id ?? ''}`}</Text>
  const member = members.find(({ account_id }) => account_id === by.id)
  if (member === undefined) return <Text>{by.id ?? ''}</Text>
  return (
    <span title={member.email}>
      <Text>{member.name}</Text>
    </span>
  )
}
