import { useSignal } from '@preact/signals'
import { type Faults, Field, FormDialog, faultsOf, Input, NO_FAULTS, Select, TextArea } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'

type Source = 'secret' | 'url' | 'set'

const SOURCES = [
  ['secret', 'A generated secret, for your backend'],
  ['url', 'A key set, read from a URL'],
  ['set', 'A key set, entered here'],
] as const

/** Settings of a new issuer of player tokens. */
export interface NewIssuer {
  readonly issuer: string
  readonly audience?: string
  readonly generate_secret?: true
  readonly jwks_url?: string
  readonly jwks?: { readonly [key: string]: unknown }
}

export function IssuerDialog({
  onClose,
  onAdd,
}: {
  readonly onClose: () => void
  readonly onAdd: (issuer: NewIssuer) => Promise<void>
}) {
  const issuer = useSignal('')
  const audience = useSignal('')
  const source = useSignal<Source>('secret')
  const url = useSignal('')
  const set = useSignal('')
  const wrong = useSignal<Faults>(NO_FAULTS)
  const add = async () => {
    wrong.value = NO_FAULTS
    try {
      await onAdd({
        issuer: issuer.value.trim(),
        ...(audience.value.trim() === '' ? {} : { audience: audience.value.trim() }),
        ...(source.value === 'secret' ? { generate_secret: true } : {}),
        ...(source.value === 'url' ? { jwks_url: url.value.trim() } : {}),
        ...(source.value === 'set' ? { jwks: JSON.parse(set.value) as NonNullable<NewIssuer['jwks']> } : {}),
      })
    } catch (error) {
      wrong.value =
        error instanceof SyntaxError
          ? { of: { jwks: `The key set is not valid JSON: ${error.message}` } }
          : faultsOf(error, ['issuer', 'audience', 'jwks_url', 'jwks'], {
              WEBHOOK_ADDRESS_REFUSED: 'jwks_url',
            })
    }
  }
  return (
    <FormDialog
      title="Add an issuer"
      help={<HelpLink on={HELP.issuers} />}
      onClose={onClose}
      confirm="Add issuer"
      disabled={issuer.value.trim() === ''}
      onConfirm={add}
      faults={wrong.value}
    >
      <Field
        label="Issuer"
        hint="The exact value of the iss claim in the tokens, for example https://studio.example"
        error={wrong.value.of.issuer}
      >
        {(given) => <Input {...given} value={issuer.value} onInput={(value) => (issuer.value = value)} />}
      </Field>
      <Field label="Signature keys">
        {(given) => (
          <Select {...given} value={source.value} options={SOURCES} onChange={(value) => (source.value = value)} />
        )}
      </Field>
      {source.value === 'url' && (
        <Field
          label="URL of the key set"
          hint="https://studio.example/.well-known/jwks.json"
          error={wrong.value.of.jwks_url}
        >
          {(given) => <Input {...given} type="url" value={url.value} onInput={(value) => (url.value = value)} />}
        </Field>
      )}
      {source.value === 'set' && (
        <Field label="Key set" hint='Public keys only: {"keys": [...]}' error={wrong.value.of.jwks}>
          {(given) => <TextArea {...given} mono value={set.value} onInput={(value) => (set.value = value)} />}
        </Field>
      )}
      <Field
        label="Audience"
        hint="Leave empty if the tokens have no aud claim, or if their aud claim is the project id."
        error={wrong.value.of.audience}
      >
        {(given) => <Input {...given} value={audience.value} onInput={(value) => (audience.value = value)} />}
      </Field>
    </FormDialog>
  )
}
