import type { Rating } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject, useRead } from '../../data/hooks'
import { Button, Card, type Faults, faultsOf, NO_FAULTS, OtherFault, say } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'
import { bodyOf, draftOf, FIELDS } from './draft'
import { RatingForm } from './rating-form'
import { UsedBy } from './used-by'

interface SettingsProps {
  readonly of: Rating
  readonly again: () => Promise<void>
}

/** Settings of a rating: a form, the queues that use the rating, and its deletion. */
export function RatingSettings({ of: rating, again }: SettingsProps) {
  const { admin } = useProject()
  const told = draftOf(rating)
  const draft = useSignal(told)
  const wrong = useSignal<Faults>(NO_FAULTS)
  const { value } = useRead(() => admin.ratings.calibration(rating.rating_id), [admin, rating.rating_id]).now
  const matches = value.is === 'ready' ? value.data.matches : 0
  const isEdited = JSON.stringify(told) !== JSON.stringify(draft.value)
  const save = async () => {
    wrong.value = NO_FAULTS
    try {
      await admin.ratings.set(rating.rating_id, bodyOf(draft.value, rating))
      say('The settings are saved.')
      await again()
    } catch (error) {
      wrong.value = faultsOf(error, FIELDS)
    }
  }
  return (
    <div class="halves">
      <Card
        title="Settings"
        help={<HelpLink on={HELP.ratings} />}
        actions={
          <>
            {isEdited && (
              <Button kind="quiet" small onClick={() => (draft.value = told)}>
                Discard changes
              </Button>
            )}
            <Button kind="primary" small disabled={!isEdited || draft.value.name.trim() === ''} onClick={save}>
              Save
            </Button>
          </>
        }
      >
        <div class="stack">
          <RatingForm
            draft={draft.value}
            faults={wrong.value}
            matches={matches}
            onChange={(next) => (draft.value = next)}
          />
          <OtherFault of={wrong.value} />
        </div>
      </Card>
      <UsedBy of={rating} />
    </div>
  )
}
