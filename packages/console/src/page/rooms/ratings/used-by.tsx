import { isMatchyardError } from '@matchyard/client'
import type { Rating } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { go, href } from '../../data/route'
import { ask, Button, Card, say, sentenceOf, Text } from '../../ui'
import { useQueuesByRating } from './list'

/** Queues that use a rating, and its deletion, which the service refuses while a queue uses the rating. */
export function UsedBy({ of: { rating_id, name } }: { readonly of: Rating }) {
  const { admin } = useProject()
  const queues = useQueuesByRating().get(rating_id) ?? []
  const refusal = useSignal<string | undefined>(undefined)
  const remove = async () => {
    const sure = await ask({
      title: 'Delete this rating?',
      text: 'All standings, seasons and leaderboards of the rating are removed. This cannot be undone.',
      confirm: 'Delete rating',
      danger: true,
    })
    if (!sure) return
    refusal.value = undefined
    try {
      await admin.ratings.delete(rating_id)
    } catch (error) {
      if (!isMatchyardError(error, 'RATING_IN_USE')) throw error
      refusal.value = sentenceOf(error)
      return
    }
    say(`${name.slice(0, 64)} is deleted.`)
    go('ratings')
  }
  const names = queues.map((queue) => queue.name).join(', ')
  return (
    <Card title="Queues">
      <div class="stack">
        {queues.length === 0 ? (
          <p class="quiet">No queue uses this rating. Choose the rating on the page of a queue.</p>
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
        {refusal.value !== undefined && (
          <div class="notice bad" role="alert">
            <Text lines={6}>
              {names === ''
                ? refusal.value
                : `The rating was not deleted, because it is in use by: ${names}. Choose another rating, or none, on the page of each of these queues. Then delete the rating.`}
            </Text>
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
