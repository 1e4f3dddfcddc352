import './queues.css'
import type { Queue } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useLive, useProject, useRead } from '../../data/hooks'
import { href, setQuery } from '../../data/route'
import { Button, Figure, Figures, number, Page, Status, Tabs, Text, UnreadPage, View } from '../../ui'
import { HistoryCharts } from '../../ui/history-charts'
import { Apply } from './apply'
import { AsFile } from './as-file'
import { Compare } from './compare'
import { carried, changesOf, type DraftFaults, type Matchmaking, type QueueDraft, sent, toldOf } from './draft'
import { FieldDistribution } from './field-distribution'
import { GameServerForm } from './game-server'
import { History } from './history'
import { wait } from './list'
import { LobbiesForm } from './lobbies-form'
import { QueueRatingForm } from './rating-form'
import { RulesForm } from './rules-form'

const back = () => ({ href: href('queues'), label: 'Queues' })
const NONE: DraftFaults = new Map()
/** Series of the charts of a queue. */
const CHARTS = ['searching', 'waits', 'matches', 'exits', 'spread', 'servers'] as const
const PARTS = [
  { id: 'rules', label: 'Rules' },
  { id: 'lobbies', label: 'Lobbies' },
  { id: 'server', label: 'Game server' },
  { id: 'json', label: 'JSON' },
  { id: 'history', label: 'History' },
  { id: 'charts', label: 'Charts' },
] as const

/** Page of a queue: its statistics, its rules with a comparison, its server settings, its history. */
export function QueuePage({ id, query }: { readonly id: string; readonly query: URLSearchParams }) {
  const { admin } = useProject()
  const { things } = useLive('queue')
  const read = useRead(() => admin.queues.get(id), [admin, id])
  // Redraws the page when the feed reports a change of the queue.
  void things.revision.value
  const told = things.get(id)
  const { value } = read.now
  const asked = value.is === 'ready' ? value.data : undefined
  const queue = told !== undefined && (asked === undefined || told.updated_at >= asked.updated_at) ? told : asked
  if (queue !== undefined) return <Shown queue={queue} query={query} again={read.again} />
  return <UnreadPage id={id} back={back()} read={read} />
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
  const part = PARTS.find(({ id }) => id === query.get('show'))?.id ?? 'rules'
  const told = toldOf(queue)
  const kept = useSignal({ of: queue.updated_at, told, draft: told })
  // When a new version arrives, edited settings stay in the draft, and all other settings come from the new version.
  useEffect(() => {
    if (kept.value.of === queue.updated_at) return
    kept.value = { of: queue.updated_at, told, draft: carried(sent(kept.value.draft), kept.value.told, told) }
  }, [queue.updated_at])
  const { draft } = kept.value
  const faults = useSignal<DraftFaults>(NONE)
  const edit = (next: QueueDraft) => {
    kept.value = { ...kept.value, draft: next }
    faults.value = NONE
  }
  const editSome = (some: Partial<QueueDraft>) => edit({ ...kept.value.draft, ...some })
  const editRules = (matchmaking: Matchmaking) => editSome({ matchmaking })
  const changes = changesOf(told, sent(draft))
  const isAsked = useSignal(false)
  return (
    <Page
      title={<Text>{queue.name}</Text>}
      beside={queue.enabled ? <Status tone="good">Enabled</Status> : <Status tone="still">Disabled</Status>}
      back={back()}
      actions={
        changes.length > 0 && (
          <>
            <Button kind="quiet" onClick={() => edit(told)}>
              Discard changes
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
          tabs={PARTS}
        />
      }
    >
      <Now queueId={queue.queue_id} />
      {queue.warnings?.map((warning) => (
        <div key={warning} class="notice">
          <Text lines={4}>{warning}</Text>
        </div>
      ))}
      {part === 'charts' && (
        <>
          <HistoryCharts title="Charts" series={CHARTS} queueId={queue.queue_id} range="24h" />
          <FieldDistribution queue={queue} />
        </>
      )}
      {part === 'history' && <History queue={queue} onRestored={again} />}
      {part === 'lobbies' && <LobbiesForm queue={queue} draft={draft} faults={faults.value} onChange={editSome} />}
      {part === 'server' && <GameServerForm draft={draft} faults={faults.value} onChange={editSome} />}
      {part === 'json' && <AsFile key={kept.value.of} queue={queue} draft={draft} onChange={edit} />}
      {part === 'rules' && (
        <div class="halves">
          <div class="stack">
            <RulesForm draft={draft.matchmaking} faults={faults.value} onChange={editRules} />
            <QueueRatingForm draft={draft} faults={faults.value} onChange={editSome} />
          </div>
          <Compare queue={queue} draft={draft.matchmaking} onWrong={(wrong) => (faults.value = wrong)} />
        </div>
      )}
      {isAsked.value && (
        <Apply
          queueId={queue.queue_id}
          changes={changes}
          draft={sent(draft)}
          onClose={() => {
            isAsked.value = false
          }}
          onApplied={() => {
            // After the changes were applied, the draft has no edits. The feed reports the new version before or after
            // this point.
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
          <Figure label="Median wait" value={wait(told.recent_wait_seconds.p50)} note="in the last ten minutes" />
          <Figure label="p90 wait" value={wait(told.recent_wait_seconds.p90)} note="in the last ten minutes" />
          <Figure label="Matches" value={number(told.matches_last_hour)} note="in the last hour" />
        </Figures>
      )}
    </View>
  )
}
