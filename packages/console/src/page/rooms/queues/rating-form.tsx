import { useProject, useRead } from '../../data/hooks'
import { href } from '../../data/route'
import { Card, Check, Field, Input, Select } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'
import { readRatings } from '../ratings/read'
import type { DraftFaults, QueueDraft } from './draft'

interface FormProps {
  readonly draft: QueueDraft
  readonly faults: DraftFaults
  readonly onChange: (changes: Partial<QueueDraft>) => void
}

/** Form for the rating of a queue: the rating that its matches change, and the field that its rules read. */
export function QueueRatingForm({ draft, faults, onChange }: FormProps) {
  const { admin } = useProject()
  const { value } = useRead(() => readRatings(admin), [admin]).now
  const names = value.is === 'ready' ? value.data.map(({ rating_id, name }) => [rating_id, name] as const) : []
  const { rating } = draft
  const isKnown = rating === null || names.some(([id]) => id === rating)
  return (
    <Card
      title="Rating"
      help={<HelpLink on={HELP.queueRating} />}
      actions={
        rating !== null && (
          <a class="small" href={href('ratings', rating)}>
            Open the rating
          </a>
        )
      }
    >
      <div class="stack">
        <Field
          label="Rating of the queue"
          hint={
            rating === null
              ? 'The results of matches of this queue change no rating.'
              : 'The results of matches of this queue change the rating of their players.'
          }
          error={faults.get('rating')}
        >
          {(given) => (
            <Select
              {...given}
              value={rating ?? ''}
              options={[['', 'None'] as const, ...(isKnown ? [] : [[rating, rating] as const]), ...names]}
              onChange={(id) => onChange({ rating: id === '' ? null : id })}
            />
          )}
        </Field>
        {rating !== null && <Rated draft={draft} faults={faults} onChange={onChange} />}
      </div>
    </Card>
  )
}

/** Settings of a queue with a rating. */
function Rated({ draft: { rating_field, rated_starts }, faults, onChange }: FormProps) {
  return (
    <>
      <Field
        label="Rating field"
        hint={`When players enter, the service writes their rating into this field of their state, and its uncertainty into ${rating_field}_uncertainty. Rules can read both.`}
        error={faults.get('rating_field')}
      >
        {(given) => (
          <Input {...given} value={rating_field} maxLength={64} onInput={(text) => onChange({ rating_field: text })} />
        )}
      </Field>
      <Check checked={rated_starts} onChange={(isOn) => onChange({ rated_starts: isOn })}>
        Direct starts count for the rating too
      </Check>
    </>
  )
}
