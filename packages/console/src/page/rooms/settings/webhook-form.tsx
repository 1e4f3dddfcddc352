import type { Webhook, WebhookWithSecret } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { Check, type Faults, Field, FormDialog, faultsOf, Input, NO_FAULTS, Select } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'

type MessageType = Webhook['types'][number]

const WORDS: Readonly<Record<MessageType, string>> = {
  'match.found': 'Match found',
  'match.started': 'Match started',
  'match.result': 'Match result recorded',
  'match.ended': 'Match ended',
  'match.backfilled': 'Players joined a running match',
  'lobby.deleted': 'Lobby deleted',
  'server.running': 'Server running',
  'server.stopped': 'Server stopped',
  'server.failed': 'Server failed',
  'build.ready': 'Build ready',
  'build.failed': 'Build failed',
  'player.banned': 'Player banned',
  'player.unbanned': 'Ban lifted',
  'problem.opened': 'Problem opened',
  'problem.closed': 'Problem closed',
}
const FORMATS = [
  ['plain', 'JSON of the HTTP API'],
  ['slack', 'Slack'],
  ['pagerduty', 'PagerDuty (problems only)'],
] as const
const HINTS: Readonly<Record<Webhook['format'], string>> = {
  plain: 'For your backend; signed.',
  slack: 'The URL is that of an incoming webhook of Slack.',
  pagerduty: 'https://events.pagerduty.com/v2/enqueue?routing_key=… with the key of your service',
}
const TYPES = Object.keys(WORDS) as MessageType[]

/** Dialog that creates a webhook or, if `of` is given, changes that webhook. */
export function WebhookDialog({
  of,
  onClose,
  onMade,
}: {
  readonly of?: Webhook
  readonly onClose: () => void
  readonly onMade: (webhook: WebhookWithSecret) => void
}) {
  const { admin } = useProject()
  const url = useSignal(of?.url ?? '')
  const description = useSignal(of?.description ?? '')
  const types = useSignal<ReadonlySet<MessageType>>(new Set(of?.types ?? TYPES))
  const format = useSignal<Webhook['format']>(of?.format ?? 'plain')
  const wrong = useSignal<Faults>(NO_FAULTS)
  const save = async () => {
    wrong.value = NO_FAULTS
    const address = url.value.trim()
    const body = {
      format: format.value,
      types: TYPES.filter(
        (type) => types.value.has(type) && (format.value !== 'pagerduty' || type.startsWith('problem.')),
      ),
      ...(description.value.trim() === '' ? {} : { description: description.value.trim() }),
    }
    try {
      if (of === undefined) onMade(await admin.webhooks.create({ ...body, url: address }))
      else {
        // An address that the role may not read is shown in part, so it is sent only when it was changed.
        onMade(await admin.webhooks.update(of.webhook_id, address === of.url ? body : { ...body, url: address }))
      }
    } catch (error) {
      wrong.value = faultsOf(error, ['url', 'description', 'format'], { WEBHOOK_ADDRESS_REFUSED: 'url' })
    }
  }
  const toggle = (type: MessageType, on: boolean) => {
    const next = new Set(types.value)
    if (on) next.add(type)
    else next.delete(type)
    types.value = next
  }
  return (
    <FormDialog
      title={of === undefined ? 'New webhook' : 'Edit the webhook'}
      help={<HelpLink on={HELP.webhookFormats} />}
      onClose={onClose}
      confirm={of === undefined ? 'Create webhook' : 'Save'}
      disabled={url.value.trim() === '' || types.value.size === 0}
      onConfirm={save}
      faults={wrong.value}
    >
      <Field
        label="URL"
        hint={
          of?.url.endsWith('…') === true
            ? 'Your role sees a part of it. Type a whole URL to replace it.'
            : 'https://studio.example/hooks'
        }
        error={wrong.value.of.url}
      >
        {(given) => <Input {...given} type="url" value={url.value} onInput={(value) => (url.value = value)} />}
      </Field>
      <Field label="Format" hint={HINTS[format.value]} error={wrong.value.of.format}>
        {(given) => (
          <Select {...given} value={format.value} options={FORMATS} onChange={(value) => (format.value = value)} />
        )}
      </Field>
      <fieldset class="types">
        <legend>Events</legend>
        {TYPES.map((type) => (
          <Check key={type} checked={types.value.has(type)} onChange={(on) => toggle(type, on)}>
            {WORDS[type]}
          </Check>
        ))}
      </fieldset>
      <Field label="Description" error={wrong.value.of.description}>
        {(given) => <Input {...given} value={description.value} onInput={(value) => (description.value = value)} />}
      </Field>
    </FormDialog>
  )
}
