import { isMatchyardError } from '@matchyard/client'
import type { Rating } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { go, href } from '../../data/route'
import { ask, Button, Card, type Faults, faultsOf, NO_FAULTS, OtherFault, say, Text } from '../../ui'
import { bodyOf, draftOf, FIELDS } from './draft'
import { useQueuesByRating } from './list'
import { RatingForm } from './rating-form'

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
  const isEdited = JSON.stringify(told) !== JSON.stringify(draft.value)
  const save = async () => {
    wrong.value = NO_FAULTS
    try {
      await admin.ratings.set(rating.rating_id, bodyOf(draft.value))
      say('The settings are saved.')
      await again()
    } catch (error) {
      wrong.value = faultsOf(error, FIELDS)
    }
  }
  return (
    <div class="rating-columns">
      <Card
        title="Settings"
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
          <RatingForm draft={draft.value} faults={wrong.value} onChange={(next) => (draft.value = next)} />
          <OtherFault of={wrong.value} />
        </div>
      </Card>
      <div class="stack">
        <UsedBy of={rating} />
      </div>
    </div>
  )
}

/** Queues that use the rating, and its deletion, which the service refuses while there is one. */
function UsedBy({ of: { rating_id, name } }: { readonly of: Rating }) {
  const { admin } = useProject()
  const queues = useQueuesByRating().get(rating_id) ?? []
  const isRefused = useSignal(false)
  const remove = async () => {
    const sure = await ask({
      title: 'Delete this rating?',
      text: 'All standings, seasons and leaderboards of the rating are removed. This cannot be undone.',
      confirm: 'Delete rating',
      danger: true,
    })
    if (!sure) return
    isRefused.value = false
    try {
      await admin.ratings.delete(rating_id)
    } catch (error) {
      if (!isMatchyardError(error, 'RATING_IN_USE')) throw error
      isRefused.value = true
      return
    }
    say(`${name.slice(0, 64)} is deleted.`)
    go('ratings')
  }
  return (
    <Card title="Queues">
      <div class="stack">
        {queues.length === 0 ? (
          <p class="quiet">No queue uses this rating. Choose it on the page of a queue.</p>
        ) : (
          <ul class="rating-queues">
            {queues.map((queue) => (
              <li key={queue.queue_id}>
                <a href={href('queues', queue.queue_id)}>
                  <Text>{queue.name}</Text>
                </a>
              </li>
            ))}
          </ul>
        )}
        {isRefused.value && (
          <div class="notice bad" role="alert">
            The rating is in use. Choose another rating, or none, on the page of each of these queues. Then delete the
            rating.
          </div>
        )}
        <div class="line">
          <Button kind="danger" icon="trash" onClick={remove}>
            Delete rating
          </Button>
        </div>
      </div>
    </Card>
  )
}
