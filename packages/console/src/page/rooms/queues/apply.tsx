import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { FormDialog, issuesOf, say, sentenceOf, Text } from '../../ui'
import { type Change, type DraftFaults, EDITED, placeOf, type QueueDraft } from './draft'
import { Changes } from './history'

/** Dialog that shows the changes of a queue before it applies them. */
export function Apply({
  queueId,
  changes,
  draft,
  onClose,
  onApplied,
  onWrong,
}: {
  readonly queueId: string
  readonly changes: readonly Change[]
  readonly draft: QueueDraft
  readonly onClose: () => void
  readonly onApplied: () => Promise<void>
  readonly onWrong: (faults: DraftFaults) => void
}) {
  const { admin } = useProject()
  const wrong = useSignal<string | undefined>(undefined)
  const isChanged = (part: keyof QueueDraft) => changes.some(({ path }) => path.split(/[.[]/)[0] === part)
  const apply = async () => {
    try {
      await admin.queues.update(queueId, {
        ...Object.fromEntries(EDITED.filter(isChanged).map((part) => [part, draft[part]])),
      } as Parameters<typeof admin.queues.update>[1])
      onClose()
      say('The edited settings are applied. The earlier settings are in the history.')
      await onApplied()
    } catch (error) {
      wrong.value = sentenceOf(error)
      onWrong(new Map(issuesOf(error).map(({ path, message }) => [placeOf(path), message])))
    }
  }
  return (
    <FormDialog title="Apply these changes?" wide onClose={onClose} confirm="Apply" onConfirm={apply}>
      <Changes of={changes} />
      {isChanged('concurrent_matches') && (
        <p class="quiet small">
          The setting applies to searches and matches that begin from now on. Running matches keep the earlier setting.
        </p>
      )}
      {isChanged('rating') && (
        <p class="quiet small">
          The rating applies to results that are recorded from now on. Clients can no longer write the rating field of a
          queue with a rating.
        </p>
      )}
      {isChanged('matchmaking') && (
        <p class="quiet small">
          New rules apply from the next matchmaking tick. Waiting players keep their waiting time.
        </p>
      )}
      {isChanged('server_settings') && (
        <p class="quiet small">
          New server settings apply to servers launched from now on. Running servers keep the earlier settings.
        </p>
      )}
      {wrong.value !== undefined && (
        <div class="notice bad" role="alert">
          <Text lines={6}>{wrong.value}</Text>
        </div>
      )}
    </FormDialog>
  )
}
