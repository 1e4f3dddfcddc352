import { Card, Check, Field, Input } from '../../ui'
import { type DraftFaults, numberOf, type QueueDraft } from './draft'

/** Form of the settings for players who leave a running match, and for matches that fail to launch. */
export function LostMatches({
  draft,
  faults,
  onChange,
}: {
  readonly draft: QueueDraft
  readonly faults: DraftFaults
  readonly onChange: (changes: Partial<QueueDraft>) => void
}) {
  return (
    <Card title="Left and failed matches">
      <div class="stack">
        <Field
          label="Penalty for leavers, in seconds"
          hint="A player who leaves a running match cannot enter this queue for this time. 0: no penalty."
          error={faults.get('leaver_penalty')}
        >
          {(given) => (
            <Input
              {...given}
              type="number"
              min={0}
              value={`${draft.leaver_penalty}`}
              onInput={(text) => onChange({ leaver_penalty: numberOf(text) ?? 0 })}
            />
          )}
        </Field>
        <Check checked={draft.requeue_on_failure} onChange={(requeue_on_failure) => onChange({ requeue_on_failure })}>
          Requeue on failure: return parties to the queue when their match fails to launch
        </Check>
      </div>
    </Card>
  )
}
