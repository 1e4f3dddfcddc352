import { Field, Select } from '../../ui'
import type { Rule } from './draft'
import { NumberField } from './number-field'
import { DEFAULT_POPULATION, fieldsFor, type Population } from './population'

/** Hours of recorded players that a comparison can replay. The service keeps a day. */
const HOURS = [1, 6, 24] as const

/** Fields for the size of a generated population, and for the distribution of each numeric field that the rules read. */
export function PopulationForm({
  rules,
  value,
  onChange,
}: {
  readonly rules: readonly Rule[]
  readonly value: Population
  readonly onChange: (value: Population) => void
}) {
  const drawn = Object.entries(fieldsFor(rules, value)).flatMap(([field, draw]) =>
    'normal' in draw ? [[field, draw.normal] as const] : [],
  )
  return (
    <div class="queue-program">
      <NumberField
        label="Parties"
        value={value.parties}
        unset={DEFAULT_POPULATION.parties}
        least={2}
        most={20_000}
        onChange={(parties) => onChange({ ...value, parties })}
      />
      <NumberField
        label="Parties per second"
        value={value.perSecond}
        unset={DEFAULT_POPULATION.perSecond}
        least={0.01}
        most={1_000}
        onChange={(perSecond) => onChange({ ...value, perSecond })}
      />
      {drawn.map(([field, { mean, deviation }]) => {
        const set = (more: { readonly mean?: number; readonly deviation?: number }) =>
          onChange({ ...value, numbers: { ...value.numbers, [field]: { mean, deviation, ...more } } })
        return (
          <>
            <NumberField
              key={`${field} mean`}
              label={`Mean of ${field}`}
              value={mean}
              unset={mean}
              least={-1_000_000}
              onChange={(next) => set({ mean: next })}
            />
            <NumberField
              key={`${field} deviation`}
              label={`Standard deviation of ${field}`}
              value={deviation}
              unset={deviation}
              least={0}
              onChange={(next) => set({ deviation: next })}
            />
          </>
        )
      })}
    </div>
  )
}

/** Field for the hours of recorded players. */
export function HoursField({
  value,
  onChange,
}: {
  readonly value: number
  readonly onChange: (hours: number) => void
}) {
  return (
    <Field label="Recorded players">
      {(given) => (
        <Select
          {...given}
          value={String(value)}
          onChange={(next) => onChange(Number(next))}
          options={HOURS.map((hours) => [String(hours), hours === 1 ? 'the last hour' : `the last ${hours} hours`])}
        />
      )}
    </Field>
  )
}
