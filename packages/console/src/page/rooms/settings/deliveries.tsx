import type { Delivery } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject, useRead } from '../../data/hooks'
import { setQuery } from '../../data/route'
import { Button, Card, Clock, Empty, Id, StatusOf, say, Tabs, Text, Time, View } from '../../ui'

const SHOWN = 100
const LOOK_MS = 2_000
type Which = 'all' | Delivery['status']

const WHICH: readonly { readonly id: Which; readonly label: string }[] = [
  { id: 'all', label: 'All' },
  { id: 'pending', label: 'Pending' },
  { id: 'delivered', label: 'Delivered' },
  { id: 'failed', label: 'Failed' },
]

const NOTHING: Readonly<Record<Which, string>> = {
  all: 'No deliveries yet',
  pending: 'No pending deliveries',
  delivered: 'No successful deliveries yet',
  failed: 'No failed deliveries',
}

/** List of the newest 100 deliveries of a webhook, newest first. A click on a delivery shows its attempts. */
export function Deliveries({ webhookId, query }: { readonly webhookId: string; readonly query: URLSearchParams }) {
  const { admin } = useProject()
  const which = WHICH.find(({ id }) => id === query.get('show'))?.id ?? 'all'
  const read = useRead(
    async () => {
      const all: Delivery[] = []
      const status = which === 'all' ? {} : { status: which }
      for await (const one of admin.webhooks.deliveries(webhookId, status)) if (all.push(one) >= SHOWN) break
      return all
    },
    [admin, webhookId, which],
    { every: LOOK_MS },
  )
  return (
    <Card
      title="Deliveries"
      flush
      actions={
        <Tabs
          label="Filter deliveries"
          tabs={WHICH}
          now={which}
          onChange={(value) => setQuery('show', value === 'all' ? '' : value)}
        />
      }
    >
      <View of={read.now} as="rows" again={read.again}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <Empty icon="link" title={NOTHING[which]}>
              Deliveries are kept for seven days.
            </Empty>
          ) : (
            <ul class="deliveries">
              {deliveries.map((one) => (
                <Sent key={one.delivery_id} delivery={one} webhookId={webhookId} again={read.again} />
              ))}
            </ul>
          )
        }
      </View>
    </Card>
  )
}

function Sent({
  delivery,
  webhookId,
  again,
}: {
  readonly delivery: Delivery
  readonly webhookId: string
  readonly again: () => Promise<void>
}) {
  const { admin } = useProject()
  const isOpen = useSignal(false)
  const last = delivery.attempts.at(-1)
  const resend = async () => {
    await admin.webhooks.redeliver(webhookId, delivery.delivery_id)
    say('The message is being sent again.')
    await again()
  }
  return (
    <li>
      <div class="delivery">
        <Button
          kind="quiet"
          small
          icon={isOpen.value ? 'down' : 'more'}
          label={isOpen.value ? 'Hide the attempts' : 'Show the attempts'}
          expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value
          }}
        />
        <StatusOf kind="delivery" is={delivery.status} />
        <Text>{delivery.type}</Text>
        <span class="quiet small delivery-last">
          <Text>{last === undefined ? 'no attempt yet' : wordsOf(last)}</Text>
        </span>
        <span class="small quiet">
          <Time at={delivery.created_at} />
        </span>
        <Button small onClick={resend}>
          Redeliver
        </Button>
      </div>
      {isOpen.value && (
        <div class="attempts">
          <p class="quiet small">
            Message <Id>{delivery.message_id}</Id>
          </p>
          {delivery.next_attempt_at !== null && (
            <p class="quiet small">
              The next attempt is at <Clock at={delivery.next_attempt_at} />.
            </p>
          )}
          <ol>
            {delivery.attempts.map((attempt) => (
              <li key={attempt.at}>
                <Clock at={attempt.at} />
                <span class="figures">{attempt.duration_ms} ms</span>
                <Text lines={2}>{wordsOf(attempt)}</Text>
              </li>
            ))}
          </ol>
          {delivery.attempts.length === 0 && <p class="quiet small">No attempt yet.</p>}
        </div>
      )}
    </li>
  )
}

const wordsOf = ({ status_code, error }: Delivery['attempts'][number]): string =>
  [status_code === null ? '' : `status ${status_code}`, error ?? ''].filter(Boolean).join(': ') || 'no response'
