import type { ComponentChildren } from 'preact'
import { Check, type Faults, Field, Input, Select } from '../../ui'
import { MODELS, type RatingDraft } from './draft'

interface FormProps {
  readonly draft: RatingDraft
  readonly faults: Faults
  readonly onChange: (draft: RatingDraft) => void
  /** Number of counted matches. With one or more, the model and the initial skill cannot be edited. */
  readonly matches?: number
  /** Content after the name. */
  readonly children?: ComponentChildren
}

/** Form of the settings of a rating. */
export function RatingForm({ draft, faults: { of }, onChange, matches = 0, children }: FormProps) {
  const form = { draft, of, onChange }
  const isFixed = matches > 0
  return (
    <div class="stack">
      <Field label="Name" error={of.name}>
        {(given) => (
          <Input {...given} value={draft.name} maxLength={128} onInput={(name) => onChange({ ...draft, name })} />
        )}
      </Field>
      {children}
      <fieldset class="short-fields rating-group">
        <legend>Displayed number</legend>
        <NumberField {...form} name="base" label="New player" placeholder="1500" hint="Number without a match." />
        <NumberField
          {...form}
          name="per_sigma"
          label="Points per sigma"
          placeholder="500"
          hint="Larger: players are farther apart."
        />
        <NumberField
          {...form}
          name="placement_matches"
          label="Placement matches"
          placeholder="5"
          hint="Then a player is on the leaderboard."
        />
      </fieldset>
      <fieldset class="short-fields rating-group">
        <legend>
          {isFixed
            ? 'Model and initial skill are fixed, because matches were counted. Create another rating to use others.'
            : 'Model and initial skill are fixed once a match was counted.'}
        </legend>
        <Field label="Model" error={of.model}>
          {(given) => (
            <Select
              {...given}
              value={draft.model}
              options={MODELS}
              disabled={isFixed}
              onChange={(model) => onChange({ ...draft, model })}
            />
          )}
        </Field>
        <NumberField
          {...form}
          of={{ ...of, mu: of.mu ?? of.initial }}
          name="mu"
          label="Initial mu"
          placeholder="25"
          hint="Skill of a new player."
          disabled={isFixed}
        />
        <NumberField
          {...form}
          name="sigma"
          label="Initial sigma"
          placeholder="8.333"
          hint="Uncertainty of that skill."
          disabled={isFixed}
        />
      </fieldset>
      <fieldset class="short-fields rating-group">
        <legend>Parameters of the model, for later matches</legend>
        <NumberField
          {...form}
          name="beta"
          label="beta"
          placeholder="4.1667"
          hint="Difference of skill with which the better player wins about four of five matches. Larger: chance decides more."
        />
        <NumberField
          {...form}
          name="tau"
          label="tau"
          placeholder="0.0833"
          hint="Uncertainty that each match adds, so that ratings of experienced players can still change."
        />
      </fieldset>
      <Check checked={draft.limit_sigma} onChange={(limit_sigma) => onChange({ ...draft, limit_sigma })}>
        A match never raises the uncertainty of a player
      </Check>
    </div>
  )
}

function NumberField({
  draft,
  of,
  onChange,
  name,
  label,
  placeholder,
  hint,
  disabled = false,
}: {
  readonly draft: RatingDraft
  readonly of: Faults['of']
  readonly onChange: (draft: RatingDraft) => void
  readonly name: Exclude<keyof RatingDraft, 'name' | 'model' | 'limit_sigma'>
  readonly label: string
  readonly placeholder: string
  readonly hint: string
  readonly disabled?: boolean
}) {
  return (
    <Field label={label} hint={hint} error={of[name]}>
      {(given) => (
        <Input
          {...given}
          type="number"
          step="any"
          placeholder={placeholder}
          disabled={disabled}
          value={draft[name]}
          onInput={(text) => onChange({ ...draft, [name]: text })}
        />
      )}
    </Field>
  )
}
