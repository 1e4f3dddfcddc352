import type { Ban } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject, useRead } from '../../data/hooks'
import { href } from '../../data/route'
import { Button, Card, type Column, Id, number, Status, Table, Text, useRows, View } from '../../ui'
import { now } from '../../ui/time'
import { Until, whereOf } from './ban-card'
import { BanDialog } from './ban-dialog'
import { Lift } from './lift'

const AT_MOST = 1_000
const LOOK_MS = 15_000

/** List of the project's bans, with the actions that set and lift a ban. */
export function Bans() {
  const { admin } = useProject()
  const read = useRead(
    async () => {
      const all: Ban[] = []
      for await (const ban of admin.bans.list()) if (all.push(ban) >= AT_MOST) break
      return all
    },
    [admin],
    { every: LOOK_MS },
  )
  const adds = useSignal(false)
  const done = () => {
    adds.value = false
    void read.again()
  }
  return (
    <>
      <Card
        title="Bans"
        flush
        actions={
          <Button small icon="plus" onClick={() => (adds.value = true)}>
            Ban a player
          </Button>
        }
      >
        <View of={read.now} as="rows" again={read.again}>
          {(bans) => <BanTable bans={bans} again={read.again} />}
        </View>
      </Card>
      {adds.value && <BanDialog onClose={() => (adds.value = false)} onSet={done} />}
    </>
  )
}

function BanTable({ bans, again }: { readonly bans: readonly Ban[]; readonly again: () => Promise<void> }) {
  const rows = useRows(bans)
  if (bans.length === 0) return <p class="quiet card-body">No player is banned from the project or a queue.</p>
  return (
    <>
      <Table
        label="Bans"
        rows={rows}
        columns={columnsOf(again)}
        keyOf={({ player_id, created_at }) => `${player_id} ${created_at}`}
        height="rows"
      />
      {bans.length === AT_MOST && <p class="quiet card-body">The newest {number(AT_MOST)} bans are listed.</p>}
    </>
  )
}

const isOver = ({ until }: Ban) => until !== null && Date.parse(until) <= now.value

const columnsOf = (again: () => Promise<void>): readonly Column<Ban>[] => [
  {
    id: 'player',
    title: 'Player',
    width: 'minmax(96px, 2fr)',
    cell: ({ player_id }) =>
      player_id === null ? 'erased player' : <Id href={href('players', player_id)}>{player_id}</Id>,
  },
  {
    id: 'status',
    title: 'Status',
    width: '88px',
    cell: (ban) => (isOver(ban) ? <Status tone="still">Ended</Status> : <Status tone="bad">Banned</Status>),
  },
  { id: 'where', title: 'Where', width: 'minmax(96px, 1fr)', wide: true, cell: (ban) => <Text>{whereOf(ban)}</Text> },
  {
    id: 'reason',
    title: 'Reason',
    width: 'minmax(96px, 2fr)',
    wide: true,
    cell: ({ reason }) => <Text>{reason ?? '–'}</Text>,
  },
  {
    id: 'until',
    title: 'Until',
    width: '112px',
    end: true,
    wide: true,
    cell: ({ until }) => <Until at={until} />,
  },
  {
    id: 'lift',
    title: '',
    width: '112px',
    end: true,
    cell: (ban) => (ban.player_id === null || isOver(ban) ? '' : <Lift playerId={ban.player_id} again={again} />),
  },
]
