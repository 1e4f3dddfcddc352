import type { Queue } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { Button, Card, Copy, Field, sentenceOf, TextArea } from '../../ui'
import { download } from '../../ui/download'
import { type QueueDraft, sent, toldOf } from './draft'
import { fileOf, settingsIn } from './queue-file'

/** Field with all settings of the draft as JSON: the file of `matchyard queues put`. */
export function AsFile({
  queue,
  draft,
  onChange,
}: {
  readonly queue: Queue
  readonly draft: QueueDraft
  readonly onChange: (draft: QueueDraft) => void
}) {
  const text = useSignal(fileOf({ ...queue, ...sent(draft) }))
  const wrong = useSignal<string | undefined>(undefined)
  const input = (next: string) => {
    text.value = next
    try {
      onChange({ ...toldOf(queue), ...settingsIn(next, queue.queue_id) })
      wrong.value = undefined
    } catch (error) {
      wrong.value = sentenceOf(error)
    }
  }
  return (
    <Card
      title="All settings"
      actions={
        <>
          <Copy text={text.value} of="settings" label="Copy" />
          <Button small onClick={() => download(`${queue.queue_id}.json`, text.value, 'application/json')}>
            Download
          </Button>
        </>
      }
    >
      <Field
        label={`${queue.queue_id}.json`}
        hint="The same file as for matchyard queues put. Settings that it leaves out stay as they are."
        error={wrong.value}
      >
        {(named) => <TextArea {...named} mono rows={28} value={text.value} onInput={input} />}
      </Field>
    </Card>
  )
}
