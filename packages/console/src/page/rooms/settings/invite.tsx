import type { MadeInvitation } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { mayAs, ROLES, type Role } from '../../data/roles'
import { type Faults, Field, FormDialog, faultsOf, Input, NO_FAULTS, Select } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'

/** Dialog that makes an invitation. */
export function InviteDialog({
  onClose,
  onMade,
}: {
  readonly onClose: () => void
  readonly onMade: (invitation: MadeInvitation) => void
}) {
  const { account, project } = useProject()
  const role = useSignal<Role>('developer')
  const email = useSignal('')
  const wrong = useSignal<Faults>(NO_FAULTS)
  const make = async () => {
    wrong.value = NO_FAULTS
    const text = email.value.trim()
    try {
      onMade(
        await account.members.invite(project.project_id, {
          role: role.value,
          ...(text === '' ? {} : { email: text }),
        }),
      )
    } catch (error) {
      wrong.value = faultsOf(error, ['role', 'email'])
    }
  }
  const known = ROLES.filter(([one]) => one !== 'owner' || mayAs(project, 'owner'))
  return (
    <FormDialog
      title="Invite a colleague"
      help={<HelpLink on={HELP.members} />}
      onClose={onClose}
      confirm="Make the link"
      onConfirm={make}
      faults={wrong.value}
    >
      <Field label="Role" hint={known.find(([one]) => one === role.value)?.[2]} error={wrong.value.of.role}>
        {(given) => (
          <Select
            {...given}
            value={role.value}
            options={known.map(([one, label]) => [one, label] as const)}
            onChange={(value) => (role.value = value)}
          />
        )}
      </Field>
      <Field
        label="E-mail"
        hint="A note for the list of invitations. No mail is sent: you send the link."
        error={wrong.value.of.email}
      >
        {(given) => (
          <Input {...given} value={email.value} placeholder="optional" onInput={(value) => (email.value = value)} />
        )}
      </Field>
    </FormDialog>
  )
}
