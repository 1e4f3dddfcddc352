import './queues.css'
import type { Queue } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useLive, useProject, useRead } from '../../data/hooks'
import { href, setQuery } from '../../data/route'
import {
  Button,
  Dialog,
  Field,
  Figure,
  Figures,
  Id,
  issuesOf,
  number,
  Page,
  Status,
  say,
  sentenceOf,
  Tabs,
  Text,
  TextArea,
  View,
} from '../../ui'
import { Compare } from './compare'
import { changesOf, type DraftFaults, type Matchmaking, placeOf, sent } from './draft'
import { Changes, History } from './history'
import { wait } from './list'
import { RulesForm } from './rules-form'

const back = () => ({ href: href('queues'), label: 'Queues' })
const NONE: DraftFaults = new Map()
type Part = 'rules' | 'json' | 'history'

/** One queue: how it does, its rules to be edited beside what they would have done, and its history. */
export function QueuePage({ id, query }: { readonly id: string; readonly query: URLSearchParams }) {
  const { admin } = useProject()
  const { things } = useLive('queue')
  const read = useRead(() => admin.queues.get(id), [admin, id])
  // Where somebody else changed it meanwhile.
  void things.revision.value
  const told = things.get(id)
  const { value } = read.now
  const asked = value.is === 'ready' ? value.data : undefined
  const queue = told !== undefined && (asked === undefined || told.updated_at >= asked.updated_at) ? told : asked
  if (queue !== undefined) return <Shown queue={queue} query={query} again={read.again} />
  return (
    <Page title={<Id>{id}</Id>} back={back()} heardAt={read.heardAt}>
      <View of={read.now} again={read.again}>
        {() => null}
      </View>
    </Page>
  )
}

function Shown({
  queue,
  query,
  again,
}: {
  readonly queue: Queue
  readonly query: URLSearchParams
  readonly again: () => Promise<void>
}) {
  const asked = query.get('show')
  const part: Part = asked === 'json' || asked === 'history' ? asked : 'rules'
  const told = queue.matchmaking ?? {}
  const kept = useSignal({ of: queue.updated_at, told, draft: told })
  // Another version takes the place of a draft that nobody has touched; one that somebody works on stays, and is told beside it.
  useEffect(() => {
    if (kept.value.of === queue.updated_at) return
    const isTouched = changesOf(kept.value.told, sent(kept.value.draft)).length > 0
    kept.value = { of: queue.updated_at, told, draft: isTouched ? kept.value.draft : told }
  }, [queue.updated_at])
  const { draft } = kept.value
  const faults = useSignal<DraftFaults>(NONE)
  const edit = (next: Matchmaking) => {
    kept.value = { ...kept.value, draft: next }
    faults.value = NONE
  }
  const changes = changesOf(told, sent(draft), 'matchmaking')
  const isAsked = useSignal(false)
  return (
    <Page
      title={<Text>{queue.name}</Text>}
      beside={queue.enabled ? <Status tone="good">enabled</Status> : <Status tone="still">disabled</Status>}
      back={back()}
      actions={
        changes.length > 0 && (
          <>
            <Button kind="quiet" onClick={() => edit(told)}>
              Discard
            </Button>
            <Button
              kind="primary"
              onClick={() => {
                isAsked.value = true
              }}
            >
              Apply…
            </Button>
          </>
        )
      }
      tools={
        <Tabs
          label="Part of the queue"
          now={part}
          onChange={(next) => setQuery('show', next === 'rules' ? '' : next)}
          tabs={[
            { id: 'rules', label: 'Rules' },
            { id: 'json', label: 'As JSON' },
            { id: 'history', label: 'History' },
          ]}
        />
      }
    >
      <Now queueId={queue.queue_id} />
      {queue.warnings?.map((warning) => (
        <div key={warning} class="notice">
          <Text lines={4}>{warning}</Text>
        </div>
      ))}
      {part === 'history' ? (
        <History queue={queue} onRestored={again} />
      ) : (
        <div class="queue-edit">
          {part === 'rules' ? (
            <RulesForm draft={draft} faults={faults.value} onChange={edit} />
          ) : (
            <AsJson key={kept.value.of} draft={draft} onChange={edit} />
          )}
          <Compare queue={queue} draft={draft} onWrong={(wrong) => (faults.value = wrong)} />
        </div>
      )}
      {isAsked.value && (
        <Apply
          queue={queue}
          draft={draft}
          onClose={() => {
            isAsked.value = false
          }}
          onApplied={() => {
            // The version that this makes takes the draft's place, whether it was heard of already or is yet to be; what is edited until
            // then is a change of what was applied.
            const isHeard = kept.value.of !== queue.updated_at
            kept.value = isHeard ? { ...kept.value, draft: kept.value.told } : { ...kept.value, told: sent(draft) }
            return again()
          }}
          onWrong={(wrong) => (faults.value = wrong)}
        />
      )}
    </Page>
  )
}

function Now({ queueId }: { readonly queueId: string }) {
  const { admin } = useProject()
  const read = useRead(() => admin.queues.stats(queueId), [admin, queueId], { every: 2_000 })
  return (
    <View of={read.now} as="cards" again={read.again}>
      {(told) => (
        <Figures>
          <Figure label="Players searching" value={number(told.players_searching)} />
          <Figure label="Wait, half of them" value={wait(told.recent_wait_seconds.p50)} note="the last ten minutes" />
          <Figure label="Wait, nine of ten" value={wait(told.recent_wait_seconds.p90)} note="the last ten minutes" />
          <Figure label="Matches" value={number(told.matches_last_hour)} note="the last hour" />
        </Figures>
      )}
    </View>
  )
}

/** The same draft as the API takes it. */
function AsJson({ draft, onChange }: { readonly draft: Matchmaking; readonly onChange: (draft: Matchmaking) => void }) {
  const text = useSignal(JSON.stringify(draft, null, 2))
  const wrong = useSignal<string | undefined>(undefined)
  const input = (next: string) => {
    text.value = next
    try {
      const parsed: unknown = JSON.parse(next)
      const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      wrong.value = isObject ? undefined : 'must be an object'
      if (isObject) onChange(parsed as Matchmaking)
    } catch (error) {
      wrong.value = sentenceOf(error)
    }
  }
  return (
    <Field label="matchmaking" hint="As in PATCH /v1/queues/{queue_id}; it is replaced as a whole." error={wrong.value}>
      {(named) => <TextArea {...named} mono rows={24} value={text.value} onInput={input} />}
    </Field>
  )
}

/** What would be changed, before it is. */
function Apply({
  queue,
  draft,
  onClose,
  onApplied,
  onWrong,
}: {
  readonly queue: Queue
  readonly draft: Matchmaking
  readonly onClose: () => void
  readonly onApplied: () => Promise<void>
  readonly onWrong: (faults: DraftFaults) => void
}) {
  const { admin } = useProject()
  const wrong = useSignal<string | undefined>(undefined)
  const apply = async () => {
    try {
      await admin.queues.update(queue.queue_id, { matchmaking: sent(draft) } as Parameters<
        typeof admin.queues.update
      >[1])
      onClose()
      say('The queue has the edited rules. Its history has what they were.')
      await onApplied()
    } catch (error) {
      wrong.value = sentenceOf(error)
      onWrong(new Map(issuesOf(error).map(({ path, message }) => [placeOf(path), message])))
    }
  }
  return (
    <Dialog
      title="Apply these changes?"
      wide
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={apply}>
            Apply
          </Button>
        </>
      }
    >
      <div class="stack">
        <Changes of={changesOf(queue.matchmaking ?? {}, sent(draft), 'matchmaking')} />
        <p class="quiet small">
          They hold from the next tick of matchmaking on. Who waits keeps the time that they have waited.
        </p>
        {wrong.value !== undefined && (
          <div class="notice bad" role="alert">
            <Text lines={6}>{wrong.value}</Text>
          </div>
        )}
      </div>
    </Dialog>
  )
}
