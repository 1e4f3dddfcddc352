import type { Queue, QueueHistoryEntry } from '@matchyard/client/admin'
import { useProject, useRead } from '../../data/hooks'
import { ask, Button, Card, Empty, HeardAt, say, Text, Time, View } from '../../ui'
import { shown } from './draft'

/** History of a queue: authors, times and changes. Each earlier version can be restored. */
export function History({ queue, onRestored }: { readonly queue: Queue; readonly onRestored: () => Promise<void> }) {
  const { admin } = useProject()
  const read = useRead(async () => {
    const all: QueueHistoryEntry[] = []
    for await (const entry of admin.queues.history(queue.queue_id)) all.push(entry)
    return all
  }, [admin, queue.queue_id, queue.updated_at])
  const restore = async (version: number) => {
    const sure = await ask({
      title: `Restore version ${version}?`,
      text: 'At the next matchmaking tick, all settings of the queue change to those of this version. To undo this, restore another version.',
      confirm: `Restore version ${version}`,
    })
    if (!sure) return
    await admin.queues.restore(queue.queue_id, version)
    say(`The settings of version ${version} are restored.`)
    await onRestored()
  }
  return (
    <Card title="History" note="the newest 100 versions" actions={<HeardAt at={read.heardAt} />}>
      <View of={read.now} as="rows" again={read.again}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty icon="queues" title="No changes recorded yet" />
          ) : (
            <ol class="queue-history">
              {entries.map((entry, place) => (
                <li key={entry.version}>
                  <Entry entry={entry} />
                  {place > 0 && (
                    <Button small onClick={() => restore(entry.version)}>
                      Restore this version
                    </Button>
                  )}
                </li>
              ))}
            </ol>
          )
        }
      </View>
    </Card>
  )
}

const whoOf = ({ by }: QueueHistoryEntry): string =>
  by === null
    ? 'an unknown caller, before the history began'
    : by.kind === 'embedded'
      ? 'the application that embeds the service'
      : (by.name ?? by.id ?? by.kind)

function Entry({ entry }: { readonly entry: QueueHistoryEntry }) {
  return (
    <div class="stack tight">
      <span>
        <strong>Version {entry.version}</strong>{' '}
        <span class="quiet small">
          <Time at={entry.at} /> by <Text>{whoOf(entry)}</Text>
        </span>
      </span>
      {entry.changes.length === 0 ? (
        <span class="quiet small">oldest stored version</span>
      ) : (
        <Changes of={entry.changes} />
      )}
    </div>
  )
}

/** Shows each changed path with its old and new value. */
export function Changes({
  of,
}: {
  readonly of: readonly { readonly path: string; readonly before?: unknown; readonly after?: unknown }[]
}) {
  return (
    <ul class="queue-changes">
      {of.map(({ path, before, after }) => (
        <li key={path}>
          <bdi class="mono small">{path}</bdi>
          <del>
            <bdi>{shown(before)}</bdi>
          </del>
          <ins>
            <bdi>{shown(after)}</bdi>
          </ins>
        </li>
      ))}
    </ul>
  )
}
