import type { Webhook, WebhookWithSecret } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject, useRead } from '../../data/hooks'
import { go, href } from '../../data/route'
import { ask, Button, Card, Facts, Id, Page, say, Text, Time, View } from '../../ui'
import { Deliveries } from './deliveries'
import { WebhookDialog } from './webhook-form'
import { WebhookSecret, WebhookStatus } from './webhooks'

const back = () => ({ href: href('settings', 'webhooks'), label: 'Webhooks' })
const LOOK_MS = 5_000

/** Page of a webhook: its events and its deliveries. */
export function WebhookPage({ id, query }: { readonly id: string; readonly query: URLSearchParams }) {
  const { admin } = useProject()
  const read = useRead(() => admin.webhooks.get(id), [admin, id], { every: LOOK_MS })
  const { value } = read.now
  const webhook = value.is === 'ready' ? value.data : undefined
  return (
    <Page
      title={webhook === undefined ? <Id>{id}</Id> : <Text>{webhook.url}</Text>}
      beside={webhook !== undefined && <WebhookStatus of={webhook} />}
      back={back()}
      heardAt={read.heardAt}
      actions={webhook !== undefined && <Actions of={webhook} again={read.again} />}
    >
      <View of={read.now} as="cards" again={read.again}>
        {(one) => <About of={one} />}
      </View>
      <Deliveries webhookId={id} query={query} />
    </Page>
  )
}

function About({ of }: { readonly of: Webhook }) {
  return (
    <Card title="About">
      <Facts
        of={[
          ['Id', <Id key="id">{of.webhook_id}</Id>],
          [
            'Events',
            <Text key="types" lines={3}>
              {of.types.join(', ')}
            </Text>,
          ],
          ...(of.description === null
            ? []
            : ([
                [
                  'Description',
                  <Text key="description" lines={3}>
                    {of.description}
                  </Text>,
                ],
              ] as const)),
          ['Created', <Time key="made" at={of.created_at} />],
        ]}
      />
    </Card>
  )
}

function Actions({ of, again }: { readonly of: Webhook; readonly again: () => Promise<void> }) {
  const { admin } = useProject()
  const edits = useSignal(false)
  const drawn = useSignal<WebhookWithSecret | undefined>(undefined)
  const test = async () => {
    await admin.webhooks.test(of.webhook_id)
    say('A test message is being sent.')
  }
  const toggle = async () => {
    await admin.webhooks.update(of.webhook_id, { enabled: !of.enabled })
    await again()
  }
  const rotate = async () => {
    const sure = await ask({
      title: 'Create a new secret?',
      text: 'For 24 hours, each message is signed with the old and the new secret, so that your endpoint can change to the new one.',
      confirm: 'Create secret',
    })
    if (sure) drawn.value = await admin.webhooks.rotateSecret(of.webhook_id)
  }
  const remove = async () => {
    const sure = await ask({
      title: 'Delete this webhook?',
      text: 'Pending messages will not be sent.',
      confirm: 'Delete webhook',
      danger: true,
    })
    if (!sure) return
    await admin.webhooks.delete(of.webhook_id)
    go('settings', 'webhooks')
  }
  return (
    <>
      <Button onClick={test}>Send a test message</Button>
      <Button onClick={toggle}>{of.enabled ? 'Disable' : 'Enable'}</Button>
      <Button icon="edit" onClick={() => (edits.value = true)}>
        Edit
      </Button>
      <Button onClick={rotate}>New secret</Button>
      <Button kind="danger" icon="trash" onClick={remove}>
        Delete
      </Button>
      {edits.value && (
        <WebhookDialog
          of={of}
          onClose={() => (edits.value = false)}
          onMade={() => {
            edits.value = false
            void again()
          }}
        />
      )}
      {drawn.value !== undefined && <WebhookSecret of={drawn.value} onClose={() => (drawn.value = undefined)} />}
    </>
  )
}
