import { useProject, useRead } from '../../data/hooks'
import { ask, Button, Card, type Column, say, Table, Text, Time, useRows, View } from '../../ui'
import { SecondFactor } from './second-factor'

const LOOK_MS = 15_000

/** Session of the account, as the service lists it. */
interface OpenSession {
  readonly session_id: string
  readonly created_at: string
  readonly expires_at: string
  readonly address: string | null
  readonly current: boolean
}

/** Settings of the signed-in account: its second factor, and its sessions with the means to end them. */
export function AccountSettings() {
  const { wire } = useProject().session
  // The service returns at most 200 sessions on a page. The newest ones matter to a person.
  const read = useRead(
    () => wire.get<{ readonly data: readonly OpenSession[] }>('/v1/account/sessions', { limit: 200 }),
    [wire],
    { every: LOOK_MS },
  )
  return (
    <>
      <SecondFactor />
      <Card title="Sessions" flush>
        <View of={read.now} as="rows" again={read.again}>
          {({ data }) => <SessionTable sessions={data} again={read.again} />}
        </View>
      </Card>
      <p class="quiet small">
        A session lasts 7 days, and a refresh replaces it. To end one signs its browser out; server keys that it made
        stay valid.
      </p>
    </>
  )
}

function SessionTable({
  sessions,
  again,
}: {
  readonly sessions: readonly OpenSession[]
  readonly again: () => Promise<void>
}) {
  const { wire } = useProject().session
  const rows = useRows(sessions)
  const end = async (id: string) => {
    const sure = await ask({
      title: 'End this session?',
      text: 'The browser or program with this session is signed out at once.',
      confirm: 'End the session',
      danger: true,
    })
    if (!sure) return
    await wire.delete(`/v1/account/sessions/${id}`)
    say('The session has ended.')
    await again()
  }
  const columns: readonly Column<OpenSession>[] = [
    {
      id: 'address',
      title: 'Address',
      width: 'minmax(96px, 1fr)',
      cell: ({ address }) => (address === null ? <span class="quiet">unknown</span> : <Text>{address}</Text>),
    },
    { id: 'opened', title: 'Opened', width: '120px', end: true, cell: ({ created_at }) => <Time at={created_at} /> },
    {
      id: 'end',
      title: '',
      width: '76px',
      end: true,
      cell: ({ session_id, current }) =>
        current ? (
          <span class="quiet">Current</span>
        ) : (
          <Button small kind="quiet" onClick={() => end(session_id)}>
            End
          </Button>
        ),
    },
  ]
  return <Table label="Sessions" rows={rows} columns={columns} keyOf={({ session_id }) => session_id} height="rows" />
}
