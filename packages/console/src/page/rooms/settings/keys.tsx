import type { ApiKey, MintedApiKey } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject, useRead } from '../../data/hooks'
import { ask, Button, Card, Check, type Column, Empty, Status, say, Table, Text, Time, useRows, View } from '../../ui'
import { now } from '../../ui/time'
import { MintDialog } from './mint-key'
import { SecretDialog } from './secret'

const AT_MOST = 1_000
const LOOK_MS = 15_000
/** Prefix of the names of keys that the console creates for itself; they are hidden by default. */
const OWN = 'Console'

/** List of the project's API keys, with buttons to create and revoke them. */
export function Keys() {
  const { account, project } = useProject()
  const read = useRead(
    async () => {
      const all: ApiKey[] = []
      for await (const key of account.keys.list(project.project_id)) if (all.push(key) >= AT_MOST) break
      return all.reverse()
    },
    [account, project],
    { every: LOOK_MS },
  )
  const mints = useSignal(false)
  const minted = useSignal<MintedApiKey | undefined>(undefined)
  const isAll = useSignal(false)
  return (
    <>
      <Card
        title="API keys"
        flush
        actions={
          <>
            <Check checked={isAll.value} onChange={(value) => (isAll.value = value)}>
              Show all keys
            </Check>
            <Button kind="primary" small icon="plus" onClick={() => (mints.value = true)}>
              New key
            </Button>
          </>
        }
      >
        <View of={read.now} as="rows" again={read.again}>
          {(keys) => (
            <KeyTable
              keys={isAll.value ? keys : keys.filter((key) => holds(key) && !key.name.startsWith(OWN))}
              again={read.again}
            />
          )}
        </View>
      </Card>
      <p class="quiet small">
        A client key ships with your game and allows only player actions. A server key allows everything in the project:
        keep it in your backend.
      </p>
      {mints.value && (
        <MintDialog
          onClose={() => (mints.value = false)}
          onMinted={(key) => {
            mints.value = false
            minted.value = key
            void read.again()
          }}
        />
      )}
      {minted.value !== undefined && (
        <SecretDialog
          title={minted.value.type === 'client' ? 'The client key' : 'The server key'}
          secret={minted.value.key ?? ''}
          of="key"
          onClose={() => (minted.value = undefined)}
        >
          The key is shown only once. The service stores only its hash.
        </SecretDialog>
      )}
    </>
  )
}

const holds = ({ revoked_at, expires_at }: ApiKey) =>
  revoked_at === null && (expires_at === null || Date.parse(expires_at) > now.value)

function KeyTable({ keys, again }: { readonly keys: readonly ApiKey[]; readonly again: () => Promise<void> }) {
  const rows = useRows(keys)
  if (keys.length === 0) {
    return (
      <Empty icon="settings" title="No active keys">
        A game needs a client key. A backend needs a server key.
      </Empty>
    )
  }
  return <Table label="API keys" rows={rows} columns={columnsOf(again)} keyOf={({ key_id }) => key_id} height="rows" />
}

const columnsOf = (again: () => Promise<void>): readonly Column<ApiKey>[] => [
  { id: 'name', title: 'Name', width: 'minmax(56px, 2fr)', cell: ({ name }) => <Text>{name}</Text> },
  {
    id: 'type',
    title: 'Type',
    width: '60px',
    cell: ({ type }) => (type === 'client' ? 'Client' : 'Server'),
  },
  {
    id: 'value',
    title: 'Ends with',
    width: '72px',
    wide: true,
    cell: ({ last4 }) => <code>…{last4}</code>,
  },
  { id: 'status', title: 'Status', width: '96px', cell: (key) => <Standing of={key} /> },
  {
    id: 'made',
    title: 'Created',
    width: '120px',
    end: true,
    wide: true,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  { id: 'revoke', title: '', width: '60px', end: true, cell: (key) => holds(key) && <Revoke of={key} again={again} /> },
]

function Standing({ of: key }: { readonly of: ApiKey }) {
  if (key.revoked_at !== null) return <Status tone="still">Revoked</Status>
  if (!holds(key)) return <Status tone="still">Expired</Status>
  if (key.expires_at === null) return <Status tone="good">Active</Status>
  const minutes = Math.ceil((Date.parse(key.expires_at) - now.value) / 60_000)
  return <Status tone="wait">{minutes >= 120 ? `${Math.floor(minutes / 60)} h left` : `${minutes} min left`}</Status>
}

function Revoke({ of: key, again }: { readonly of: ApiKey; readonly again: () => Promise<void> }) {
  const { account, project } = useProject()
  const revoke = async () => {
    const sure = await ask({
      title: 'Revoke this key?',
      text: 'Calls with this key are refused at once, and its event streams end. Game servers continue to run. This cannot be undone.',
      confirm: 'Revoke key',
      danger: true,
    })
    if (!sure) return
    await account.keys.revoke(project.project_id, key.key_id)
    say(`The key …${key.last4} is revoked.`)
    await again()
  }
  return (
    <Button small kind="quiet" onClick={revoke}>
      Revoke
    </Button>
  )
}
