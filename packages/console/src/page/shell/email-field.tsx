import { Field, Input } from '../ui'

/** Field for the e-mail address of an account. */
export function EmailField({
  value,
  error,
  onInput,
}: {
  readonly value: string
  readonly error?: string | undefined
  readonly onInput: (value: string) => void
}) {
  return (
    <Field label="E-mail" error={error}>
      {(named) => <Input {...named} type="email" autocomplete="username" required value={value} onInput={onInput} />}
    </Field>
  )
}
