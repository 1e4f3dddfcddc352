import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { setQuery } from '../data/route'
import { Input } from './field'

/** Input of a filter in the address. Enter, or leaving the input, puts the value into the address. */
export function FilterEntry({
  label,
  name,
  value,
}: {
  readonly label: string
  /** Name of the filter in the address. */
  readonly name: string
  readonly value: string
}) {
  const text = useSignal(value)
  useEffect(() => {
    text.value = value
  }, [value, text])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        setQuery(name, text.value.trim())
      }}
      onFocusOut={() => setQuery(name, text.value.trim())}
    >
      <Input aria-label={label} placeholder={label} value={text.value} onInput={(next) => (text.value = next)} />
    </form>
  )
}
