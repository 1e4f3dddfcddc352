import { useSignal } from '@preact/signals'
import { Field, Input } from '../../ui'
import { numberOf } from './draft'

/** Field for a number. An empty field means `unset`, the default of the setting. */
export function NumberField<Unset extends number | null | undefined>({
  label,
  hint,
  error,
  value,
  unset,
  least,
  most,
  none,
  onChange,
}: {
  /** Label with the unit: `Search ends after (s)`. */
  readonly label: string
  readonly hint?: string
  readonly error?: string | undefined
  readonly value: number | Unset
  readonly unset: Unset
  readonly least: number
  readonly most?: number
  /** Text of the empty field; by default the number of `unset`. */
  readonly none?: string
  readonly onChange: (value: number | Unset) => void
}) {
  // The text stays as it was typed, because an emptied field would show the default at once.
  const typed = useSignal<string | undefined>(undefined)
  const isTyped = typed.value !== undefined && (numberOf(typed.value) ?? unset) === value
  const text = isTyped ? (typed.value ?? '') : `${value ?? ''}`
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })} error={error}>
      {(given) => (
        <Input
          {...given}
          type="number"
          min={least}
          max={most}
          placeholder={none ?? `${unset ?? ''}`}
          value={text}
          onInput={(next) => {
            typed.value = next
            onChange(numberOf(next) ?? unset)
          }}
        />
      )}
    </Field>
  )
}
