import type { Webhook, WebhookWithSecret } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject, useRead } from '../../data/hooks'
import { useProblems } from '../../data/problems'
import { href } from '../../data/route'
import { Button, Card, type Column, Empty, Status, Table, Text, Time, useRows, View } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'
import { SecretDialog } from './secret'
import { WebhookDialog } from './webhook-form'

const LOOK_MS = 5_000

/** List of the project's webhooks. */
export function Webhooks() {
  const { admin } = useProject()
  const read = useRead(
    async () => {
      const all: Webhook[] = []
      for await (const one of admin.webhooks.list()) all.push(one)
      return all
    },
    [admin],
    { every: LOOK_MS },
  )
  const adds = useSignal(false)
  const made = useSignal<WebhookWithSecret | undefined>(undefined)
  return (
    <>
      <Card
        title="Webhooks"
        help={<HelpLink on={HELP.webhooks} />}
        flush
        actions={
          <Button kind="primary" small icon="plus" onClick={() => (adds.value = true)}>
            New webhook
          </Button>
        }
      >
        <View of={read.now} as="rows" again={read.again}>
          {(webhooks) => <WebhookTable webhooks={webhooks} />}
        </View>
      </Card>
      {adds.value && (
        <WebhookDialog
          onClose={() => (adds.value = false)}
          onMade={(webhook) => {
            adds.value = false
            made.value = webhook
            void read.again()
          }}
        />
      )}
      {made.value !== undefined && <WebhookSecret of={made.value} onClose={() => (made.value = undefined)} />}
    </>
  )
}

/** Dialog with the secret of a new webhook, or with a new secret. */
export const WebhookSecret = ({ of, onClose }: { readonly of: WebhookWithSecret; readonly onClose: () => void }) => (
  <SecretDialog title="The webhook's secret" secret={of.secret ?? ''} of="secret" onClose={onClose}>
    Your endpoint verifies the signature of messages with this secret. The secret is shown only once; you can create a
    new one.
  </SecretDialog>
)

/** Status of a webhook: on, failing, or off with the reason. */
export function WebhookStatus({ of: { webhook_id, enabled, disabled_reason } }: { readonly of: Webhook }) {
  const { value } = useProblems().now
  const fails =
    value.is === 'ready' &&
    value.data.some(({ code, subject }) => code === 'webhook_failing' && subject.id === webhook_id)
  if (enabled && fails) return <Status tone="bad">Enabled, failing</Status>
  if (enabled) return <Status tone="good">Enabled</Status>
  if (disabled_reason === 'failing') return <Status tone="bad">Disabled after failures</Status>
  if (disabled_reason === 'gone') return <Status tone="bad">Disabled after status 410</Status>
  return <Status tone="still">Disabled</Status>
}

const COLUMNS: readonly Column<Webhook>[] = [
  { id: 'url', title: 'URL', width: 'minmax(120px, 3fr)', cell: ({ url }) => <Text>{url}</Text> },
  {
    id: 'status',
    title: 'Status',
    width: '160px',
    cell: (webhook) => <WebhookStatus of={webhook} />,
  },
  {
    id: 'types',
    title: 'Events',
    width: 'minmax(120px, 2fr)',
    wide: true,
    cell: ({ types }) => <Text>{types.join(', ')}</Text>,
  },
  {
    id: 'made',
    title: 'Created',
    width: '120px',
    end: true,
    wide: true,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
]

function WebhookTable({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  const rows = useRows(webhooks)
  if (webhooks.length === 0) {
    return (
      <Empty icon="link" title="No webhooks yet">
        A webhook sends signed messages to your URL, for example when a match starts, a server fails or a build is
        ready.
      </Empty>
    )
  }
  return (
    <Table
      label="Webhooks"
      rows={rows}
      columns={COLUMNS}
      keyOf={({ webhook_id }) => webhook_id}
      hrefOf={({ webhook_id }) => href('settings', 'webhooks', webhook_id)}
      height="rows"
    />
  )
}
