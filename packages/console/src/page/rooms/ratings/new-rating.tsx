import { isMatchyardError } from '@matchyard/client'
import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { idOfName } from '../../data/id-of-name'
import { go } from '../../data/route'
import { type Faults, Field, FormDialog, faultsOf, Input, NO_FAULTS } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'
import { bodyOf, FIELDS, NEW_RATING, type RatingDraft } from './draft'
import { RatingForm } from './rating-form'

/** Dialog for a new rating. */
export function NewRatingDialog({ onClose }: { readonly onClose: () => void }) {
  const { admin } = useProject()
  const written = useSignal<string | undefined>(undefined)
  const draft = useSignal<RatingDraft>(NEW_RATING)
  const wrong = useSignal<Faults>(NO_FAULTS)
  const id = written.value ?? idOfName(draft.value.name)
  const make = async () => {
    wrong.value = NO_FAULTS
    try {
      // The service would replace the settings of a rating that has this id.
      if (await isTaken(() => admin.ratings.get(id))) {
        wrong.value = { of: { rating_id: 'A rating with this id exists.' } }
        return
      }
      await admin.ratings.set(id, bodyOf(draft.value))
      onClose()
      go('ratings', id)
    } catch (error) {
      wrong.value = faultsOf(error, ['rating_id', ...FIELDS])
    }
  }
  return (
    <FormDialog
      title="New rating"
      help={<HelpLink on={HELP.ratings} />}
      wide
      onClose={onClose}
      confirm="Create rating"
      disabled={id === '' || draft.value.name.trim() === ''}
      onConfirm={make}
      faults={wrong.value}
    >
      <RatingForm draft={draft.value} faults={wrong.value} onChange={(next) => (draft.value = next)}>
        <Field
          label="Id"
          hint="The id that your backend uses: a-z, 0-9 and _. The id cannot be changed later."
          error={wrong.value.of.rating_id}
        >
          {(given) => <Input {...given} value={id} maxLength={64} onInput={(value) => (written.value = value)} />}
        </Field>
      </RatingForm>
    </FormDialog>
  )
}

async function isTaken(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read()
    return true
  } catch (error) {
    if (isMatchyardError(error, 'RATING_NOT_FOUND')) return false
    throw error
  }
}
