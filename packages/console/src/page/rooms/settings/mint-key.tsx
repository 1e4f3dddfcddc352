import type { MintedApiKey } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { type Faults, Field, FormDialog, faultsOf, Input, NO_FAULTS, Select } from '../../ui'

const LIVES = [
  ['', 'Until it is revoked'],
  ['3600', 'One hour'],
  ['43200', 'Twelve hours'],
] as const

/** Dialog that creates an API key. */
export function MintDialog({
  onClose,
  onMinted,
}: {
  readonly onClose: () => void
  readonly onMinted: (key: MintedApiKey) => void
}) {
  const { account, project } = useProject()
  const type = useSignal<'client' | 'server'>('client')
  const name = useSignal('')
  const life = useSignal<(typeof LIVES)[number][0]>('')
  const wrong = useSignal<Faults>(NO_FAULTS)
  const mint = async () => {
    wrong.value = NO_FAULTS
    try {
      const minted = await account.keys.mint(project.project_id, {
        type: type.value,
        ...(name.value.trim() === '' ? {} : { name: name.value.trim() }),
        ...(life.value === '' ? {} : { expires_in: Number(life.value) }),
      })
      onMinted(minted)
    } catch (error) {
      wrong.value = faultsOf(error, ['name', 'expires_in'])
    }
  }
  return (
    <FormDialog title="New key" onClose={onClose} confirm="Create key" onConfirm={mint} faults={wrong.value}>
      <Field
        label="Type"
        hint={type.value === 'client' ? 'For the game on the players’ devices.' : 'For your backend only.'}
      >
        {(given) => (
          <Select
            {...given}
            value={type.value}
            options={[
              ['client', 'Client key'],
              ['server', 'Server key'],
            ]}
            onChange={(value) => (type.value = value)}
          />
        )}
      </Field>
      <Field label="Name" hint="Describes the purpose of the key." error={wrong.value.of.name}>
        {(given) => <Input {...given} value={name.value} maxLength={128} onInput={(value) => (name.value = value)} />}
      </Field>
      <Field label="Lifetime" error={wrong.value.of.expires_in}>
        {(given) => <Select {...given} value={life.value} options={LIVES} onChange={(value) => (life.value = value)} />}
      </Field>
    </FormDialog>
  )
}
