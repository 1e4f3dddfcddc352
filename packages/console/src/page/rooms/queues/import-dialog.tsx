import { useSignal } from '@preact/signals'
import { useLive, useProject } from '../../data/hooks'
import { go } from '../../data/route'
import { type Faults, Field, FormDialog, issuesOf, NO_FAULTS, sentenceOf, TextArea } from '../../ui'
import { changesOf, EDITED, toldOf } from './draft'
import { Changes } from './history'
import { type QueueFile, readFile } from './queue-file'

/** Maximum bytes of a file that is read; the service refuses larger bodies. */
const MAX_BYTES = 64 * 1_024

/** Dialog that creates or changes a queue by the file of `matchyard queues put`. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { admin } = useProject()
  const { things } = useLive('queue')
  const text = useSignal('')
  const wrong = useSignal<Faults>(NO_FAULTS)
  const input = (next: string) => {
    text.value = next
    wrong.value = NO_FAULTS
  }
  const choose = async (file: File | undefined) => {
    if (file === undefined) return
    if (file.size > MAX_BYTES) wrong.value = { of: {}, other: 'The file is larger than 64 kB, so it is no queue.' }
    else input(await file.text())
  }
  const file = parsed(text.value)
  const { queue_id: id, ...settings } = file.settings
  const present = id === undefined ? undefined : things.get(id)
  const named = Object.fromEntries(
    EDITED.map((name) => [name, present === undefined ? undefined : toldOf(present)[name]]),
  )
  const changes = present === undefined ? [] : changesOf(named, { ...named, ...settings })
  const put = async () => {
    wrong.value = NO_FAULTS
    if (id === undefined) return
    try {
      if (present === undefined) await admin.queues.create(file.settings as never)
      else await admin.queues.update(id, settings as never)
      onClose()
      go('queues', id)
    } catch (error) {
      const issues = issuesOf(error).map(({ path, message }) => `${path}: ${message}`)
      wrong.value = { of: {}, other: issues.length === 0 ? sentenceOf(error) : issues.join('; ') }
    }
  }
  return (
    <FormDialog
      title="Import a queue"
      wide
      onClose={onClose}
      confirm={present === undefined ? 'Create queue' : 'Apply to the queue'}
      disabled={id === undefined || (present !== undefined && changes.length === 0)}
      onConfirm={put}
      faults={wrong.value}
    >
      <Field label="File" hint="The file of matchyard queues put, or of Download in the tab JSON of a queue.">
        {(given) => (
          <input
            {...given}
            class="control"
            type="file"
            accept="application/json,.json"
            onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
          />
        )}
      </Field>
      <Field label="Settings" error={file.fault}>
        {(given) => <TextArea {...given} mono rows={14} value={text.value} onInput={input} />}
      </Field>
      {present !== undefined && changes.length === 0 && (
        <p class="quiet small">The queue already has these settings.</p>
      )}
      {changes.length > 0 && <Changes of={changes} />}
    </FormDialog>
  )
}

/** Returns the settings in the text, or the fault of the text. An empty text has neither. */
function parsed(text: string): { readonly settings: QueueFile; readonly fault?: string } {
  if (text.trim() === '') return { settings: {} }
  try {
    const settings = readFile(text)
    return settings.queue_id === undefined
      ? { settings, fault: 'The file must name its queue in queue_id.' }
      : { settings }
  } catch (error) {
    return { settings: {}, fault: sentenceOf(error) }
  }
}
