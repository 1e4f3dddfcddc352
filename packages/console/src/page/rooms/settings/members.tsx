import type { Invitation, MadeInvitation, Member } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject, useRead } from '../../data/hooks'
import { linkOfInvitation } from '../../data/invitation'
import { labelOfRole, mayAs, ROLES, type Role } from '../../data/roles'
import { ask, Button, Card, type Column, failed, Select, say, Table, Text, Time, useRows, View } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'
import { now } from '../../ui/time'
import { InviteDialog } from './invite'
import { SecretDialog } from './secret'

const LOOK_MS = 15_000
const DAY_MS = 86_400_000

/** Lists of the members of the project and of its open invitations, with the means to change them. */
export function Members() {
  const { account, project } = useProject()
  const read = useRead(() => account.members.list(project.project_id), [account, project], { every: LOOK_MS })
  const invites = useSignal(false)
  const made = useSignal<MadeInvitation | undefined>(undefined)
  return (
    <>
      <Card
        title="Members"
        help={<HelpLink on={HELP.members} />}
        flush
        actions={
          mayAs(project, 'admin') && (
            <Button kind="primary" small icon="plus" onClick={() => (invites.value = true)}>
              Invite
            </Button>
          )
        }
      >
        <View of={read.now} as="rows" again={read.again}>
          {({ members }) => <MemberTable members={members} again={read.again} />}
        </View>
      </Card>
      <p class="quiet small">
        {`Your role is ${labelOfRole(project.role)}. ${ROLES.map(([, label, rights]) => `${label}: ${rights}`).join(' ')}`}
      </p>
      <View of={read.now} as="rows" again={read.again}>
        {({ invitations }) =>
          invitations.length > 0 && (
            <Card title="Open invitations" flush>
              <InvitationTable invitations={invitations} again={read.again} />
            </Card>
          )
        }
      </View>
      {invites.value && (
        <InviteDialog
          onClose={() => (invites.value = false)}
          onMade={(invitation) => {
            invites.value = false
            made.value = invitation
            void read.again()
          }}
        />
      )}
      {made.value !== undefined && (
        <SecretDialog
          title="The invitation"
          secret={linkOfInvitation(made.value.token ?? '')}
          of="link"
          onClose={() => (made.value = undefined)}
        >
          Send this link to your colleague. It works once, for 7 days, and is shown only now. It opens this project.
        </SecretDialog>
      )}
    </>
  )
}

function MemberTable({ members, again }: { readonly members: readonly Member[]; readonly again: () => Promise<void> }) {
  const rows = useRows(members)
  const columns: readonly Column<Member>[] = [
    { id: 'name', title: 'Name', width: 'minmax(72px, 1fr)', cell: ({ name }) => <Text>{name}</Text> },
    {
      id: 'email',
      title: 'E-mail',
      width: 'minmax(96px, 1.4fr)',
      wide: true,
      cell: ({ email }) => <Text>{email}</Text>,
    },
    { id: 'role', title: 'Role', width: '136px', cell: (member) => <RoleOf member={member} again={again} /> },
    {
      id: 'joined',
      title: 'Joined',
      width: '120px',
      end: true,
      wide: true,
      cell: ({ joined_at }) => <Time at={joined_at} />,
    },
    { id: 'remove', title: '', width: '76px', end: true, cell: (member) => <Remove member={member} again={again} /> },
  ]
  return <Table label="Members" rows={rows} columns={columns} keyOf={({ account_id }) => account_id} height="rows" />
}

/** Whether the person at the page may give or take this role. */
const mayManage = (project: { readonly role: Role }, role: Role): boolean =>
  mayAs(project, role === 'owner' ? 'owner' : 'admin')

function RoleOf({ member, again }: { readonly member: Member; readonly again: () => Promise<void> }) {
  const { account, project } = useProject()
  const { role, account_id, owns_project } = member
  if (owns_project || !mayManage(project, role)) return <span>{labelOfRole(role)}</span>
  const set = async (next: Role) => {
    try {
      await account.members.setRole(project.project_id, account_id, { role: next })
      say(`The role of ${member.name} is ${labelOfRole(next)}.`)
    } catch (error) {
      failed(error)
    }
    await again()
  }
  return (
    <Select
      label={`Role of ${member.name}`}
      value={role}
      options={ROLES.filter(([one]) => mayManage(project, one)).map(([one, label]) => [one, label] as const)}
      onChange={set}
    />
  )
}

function Remove({ member, again }: { readonly member: Member; readonly again: () => Promise<void> }) {
  const { account, project, session } = useProject()
  const isItself = member.account_id === session.account.id
  if (member.owns_project || !(isItself || mayManage(project, member.role))) return null
  const word = isItself ? 'Leave' : 'Remove'
  const remove = async () => {
    const sure = await ask({
      title: isItself ? 'Leave this project?' : `Remove ${member.name}?`,
      text: 'The sessions of this person lose the project at once, and all server keys that the person made are revoked. A backend that uses such a key stops working: give it another key before.',
      confirm: isItself ? 'Leave the project' : 'Remove the member',
      danger: true,
    })
    if (!sure) return
    await account.members.remove(project.project_id, member.account_id)
    say(`${member.name} is no longer a member.`)
    if (isItself) location.reload()
    else await again()
  }
  return (
    <Button small kind="quiet" onClick={remove}>
      {word}
    </Button>
  )
}

function InvitationTable({
  invitations,
  again,
}: {
  readonly invitations: readonly Invitation[]
  readonly again: () => Promise<void>
}) {
  const { account, project } = useProject()
  const rows = useRows(invitations)
  const cancel = async (id: string) => {
    await account.members.cancelInvitation(project.project_id, id)
    say('The invitation is cancelled.')
    await again()
  }
  const columns: readonly Column<Invitation>[] = [
    {
      id: 'for',
      title: 'For',
      width: 'minmax(96px, 1.4fr)',
      cell: ({ email }) => (email === null ? <span class="quiet">any person</span> : <Text>{email}</Text>),
    },
    { id: 'role', title: 'Role', width: '104px', cell: ({ role }) => labelOfRole(role) },
    {
      id: 'left',
      title: 'Ends in',
      width: '96px',
      end: true,
      wide: true,
      cell: ({ expires_at }) => `${Math.max(1, Math.ceil((Date.parse(expires_at) - now.value) / DAY_MS))} d`,
    },
    {
      id: 'cancel',
      title: '',
      width: '76px',
      end: true,
      cell: ({ invitation_id, role }) =>
        mayManage(project, role) && (
          <Button small kind="quiet" onClick={() => cancel(invitation_id)}>
            Cancel
          </Button>
        ),
    },
  ]
  return (
    <Table
      label="Open invitations"
      rows={rows}
      columns={columns}
      keyOf={({ invitation_id }) => invitation_id}
      height="rows"
    />
  )
}
