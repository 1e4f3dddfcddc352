import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Icon } from './icons'

/** Attributes by which screen readers read a control's label, hint and fault. */
export interface Named {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: boolean
}

/** Control with a label, a hint, and its fault. The fault replaces the hint. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  readonly label: string
  readonly hint?: ComponentChildren
  /** Fault of the value, in the service's words. */
  readonly error?: string | undefined
  readonly children: (named: Named) => ComponentChildren
}) {
  const id = useId()
  const about = hint === undefined && error === undefined ? {} : { 'aria-describedby': `${id}-about` }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...about, ...(error === undefined ? {} : { 'aria-invalid': true }) })}
      {(hint !== undefined || error !== undefined) && (
        <p id={`${id}-about`} class={error === undefined ? 'hint' : 'hint wrong'}>
          {error ?? hint}
        </p>
      )}
    </div>
  )
}

interface InputProps extends Partial<Named> {
  readonly value: string | number
  readonly onInput: (value: string) => void
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'url'
  readonly placeholder?: string
  readonly required?: boolean
  readonly disabled?: boolean
  readonly maxLength?: number
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly step?: number | 'any'
  readonly autocomplete?: 'username' | 'current-password' | 'one-time-code' | 'off'
  readonly 'aria-label'?: string
}

/** Input for one line of text or a number. */
export function Input({ value, onInput, type = 'text', ...rest }: InputProps) {
  return (
    <input
      class="control"
      // JSX has a separate type for each kind of input. This component covers several kinds, so the type needs a cast.
      type={type as 'text'}
      value={value}
      spellcheck={false}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
      {...rest}
    />
  )
}

export function TextArea({
  value,
  onInput,
  rows = 8,
  mono = false,
  ...rest
}: Partial<Named> & {
  readonly value: string
  readonly onInput: (value: string) => void
  readonly rows?: number
  readonly mono?: boolean
  readonly 'aria-label'?: string
}) {
  return (
    <textarea
      class={`control${mono ? ' mono' : ''}`}
      value={value}
      rows={rows}
      spellcheck={false}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
      {...rest}
    />
  )
}

/** Select with a few options. */
export function Select<T extends string>({
  value,
  options,
  onChange,
  label,
  ...rest
}: Partial<Named> & {
  readonly value: T
  readonly options: readonly (readonly [value: T, label: string])[]
  readonly onChange: (value: T) => void
  readonly disabled?: boolean
  /** Label for screen readers, for a select outside a field. */
  readonly label?: string
}) {
  return (
    <span class="select">
      <select
        class="control"
        value={value}
        aria-label={label}
        onChange={({ currentTarget }) => onChange(currentTarget.value as T)}
        {...rest}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
      <Icon name="down" size={12} />
    </span>
  )
}

/** Checkbox with its label. */
export function Check({
  checked,
  onChange,
  children,
  disabled,
}: {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly children: ComponentChildren
  readonly disabled?: boolean
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  )
}

/** Search field of a view. The key `/` focuses it. */
export function Search({
  value,
  onInput,
  label,
}: {
  readonly value: string
  readonly onInput: (value: string) => void
  readonly label: string
}) {
  return (
    <span class="search">
      <Icon name="search" size={14} />
      <input
        class="control"
        type="search"
        placeholder={label}
        aria-label={label}
        data-search
        value={value}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </span>
  )
}
