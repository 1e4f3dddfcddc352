import { useSignal } from '@preact/signals'
import { Field, Input } from '../../ui'
import { textsOf } from './draft'

/** Field for a list of short texts, which are separated by commas. */
export function TextListField({
  label,
  hint,
  error,
  none = 'none',
  of,
  onChange,
}: {
  readonly label: string
  readonly hint?: string
  readonly error?: string | undefined
  /** Text of the empty field. */
  readonly none?: string
  readonly of: readonly string[]
  readonly onChange: (texts: readonly string[]) => void
}) {
  // The text stays as it was typed, because the list has no comma at its end.
  const typed = useSignal<string | undefined>(undefined)
  const isTyped = typed.value !== undefined && textsOf(typed.value).join() === of.join()
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })} error={error}>
      {(given) => (
        <Input
          {...given}
          placeholder={none}
          value={isTyped ? (typed.value ?? '') : of.join(', ')}
          onInput={(text) => {
            typed.value = text
            onChange(textsOf(text))
          }}
        />
      )}
    </Field>
  )
}
