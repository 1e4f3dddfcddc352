import type { Queue, ServerSettings } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { Check, FormDialog, say, sentenceOf, Text } from '../../ui'

/**
 * Dialog that pins queues to a version of a build. With `version` undefined, it removes the pins of the queues. All
 * queues are selected at first.
 */
export function PinDialog({
  title,
  confirm,
  queues,
  version,
  textFor,
  done,
  onClose,
}: {
  readonly title: string
  readonly confirm: string
  readonly queues: readonly Queue[]
  readonly version: number | undefined
  /** Returns the sentence with the consequences for the chosen queues. */
  readonly textFor: (chosen: readonly Queue[]) => string
  /** Returns the notice after the change of `count` queues. */
  readonly done: (count: number) => string
  readonly onClose: () => void
}) {
  const { admin } = useProject()
  const leftOut = useSignal<ReadonlySet<string>>(new Set())
  const wrong = useSignal<string | undefined>(undefined)
  const chosen = queues.filter(({ queue_id }) => !leftOut.value.has(queue_id))
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(leftOut.value)
    if (isChosen) next.delete(id)
    else next.add(id)
    leftOut.value = next
  }
  const pin = async () => {
    try {
      for (const { queue_id } of chosen) {
        // The update replaces all server settings. They are read just before the update, so that a recent change by
        // another person is not lost.
        const { server_settings = {} } = await admin.queues.get(queue_id)
        await admin.queues.update(queue_id, { server_settings: pinnedTo(version, server_settings) })
      }
      onClose()
      say(done(chosen.length))
    } catch (error) {
      wrong.value = sentenceOf(error)
    }
  }
  return (
    <FormDialog title={title} onClose={onClose} confirm={confirm} disabled={chosen.length === 0} onConfirm={pin}>
      <p>{chosen.length === 0 ? 'Choose at least one queue.' : textFor(chosen)}</p>
      {queues.length > 1 && (
        <fieldset class="pin-queues" aria-label="Queues">
          {queues.map(({ queue_id, name }) => (
            <Check
              key={queue_id}
              checked={!leftOut.value.has(queue_id)}
              onChange={(isChosen) => choose(queue_id, isChosen)}
            >
              <Text>{name}</Text>
            </Check>
          ))}
        </fieldset>
      )}
      {wrong.value !== undefined && (
        <div class="notice bad" role="alert">
          <Text lines={6}>{wrong.value}</Text>
        </div>
      )}
    </FormDialog>
  )
}

function pinnedTo(version: number | undefined, { version: _, ...rest }: ServerSettings): ServerSettings {
  return version === undefined ? rest : { ...rest, version }
}
