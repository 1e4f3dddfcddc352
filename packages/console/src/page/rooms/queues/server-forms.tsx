import type { ServerSettings, Tier } from '@matchyard/client/admin'
import { REGIONS, type Region } from '@matchyard/matchmaking'
import { useSignal } from '@preact/signals'
import { Button, Card, Check, Field, Input, Select, sentenceOf, TextArea } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'
import type { DraftFaults } from './draft'
import { NumberField } from './number-field'

interface FormProps {
  readonly draft: ServerSettings
  readonly faults: DraftFaults
  readonly onChange: (draft: ServerSettings) => void
}

const TIERS: Readonly<Record<Tier, string>> = {
  '1x-1g': '1 core, 1 GiB',
  '1x-2g': '1 core, 2 GiB',
  '1x-4g': '1 core, 4 GiB',
  '2x-2g': '2 cores, 2 GiB',
  '2x-4g': '2 cores, 4 GiB',
  '2x-8g': '2 cores, 8 GiB',
  '4x-4g': '4 cores, 4 GiB',
  '4x-8g': '4 cores, 8 GiB',
  '4x-16g': '4 cores, 16 GiB',
  '8x-8g': '8 cores, 8 GiB',
  '8x-16g': '8 cores, 16 GiB',
  '8x-32g': '8 cores, 32 GiB',
}

/** Form for the region, the size and the lifetime of game servers. */
export function PlaceForm({ draft, faults, onChange }: FormProps) {
  const fault = (name: keyof ServerSettings) => faults.get(`server_settings.${name}`)
  return (
    <Card title="Region, size and time" help={<HelpLink on={HELP.place} />}>
      <div class="stack">
        <div class="queue-program">
          <Field label="Default region" hint="When the players choose none." error={fault('region')}>
            {(given) => (
              <Select
                {...given}
                value={draft.region ?? ''}
                options={[['', 'Default of the service'] as const, ...REGIONS.map((one) => [one, one] as const)]}
                onChange={(region) => onChange({ ...draft, region: region === '' ? undefined : (region as Region) })}
              />
            )}
          </Field>
          <Field label="Size" error={fault('tier')}>
            {(given) => (
              <Select
                {...given}
                value={draft.tier ?? '1x-1g'}
                options={Object.entries(TIERS) as [Tier, string][]}
                onChange={(tier) => onChange({ ...draft, tier })}
              />
            )}
          </Field>
        </div>
        <div class="short-fields">
          <NumberField
            label="Runs for at most (s)"
            hint="At least 60."
            error={fault('ttl')}
            value={draft.ttl}
            unset={undefined}
            none="plan’s maximum"
            least={60}
            onChange={(ttl) => onChange({ ...draft, ttl })}
          />
          <NumberField
            label="Time to stop (s)"
            hint="From SIGTERM to SIGKILL, 1 to 300."
            error={fault('stop_grace_seconds')}
            value={draft.stop_grace_seconds}
            unset={undefined}
            none="10"
            least={1}
            most={300}
            onChange={(stop_grace_seconds) => onChange({ ...draft, stop_grace_seconds })}
          />
        </div>
      </div>
    </Card>
  )
}

/** Form for warm servers: servers that are started before their match. */
export function WarmForm({ draft, faults, onChange }: FormProps) {
  const { warm, ...cold } = draft
  return (
    <Card title="Warm servers" help={<HelpLink on={HELP.warm} />}>
      <div class="stack">
        <Check
          checked={warm !== undefined}
          onChange={(isOn) => onChange(isOn ? { ...draft, warm: { buffer: 1 } } : cold)}
        >
          Start servers before their match, so that players do not wait for the start
        </Check>
        {warm !== undefined && (
          <div class="short-fields">
            <NumberField
              label="Waiting servers"
              hint="1 to 100."
              error={faults.get('server_settings.warm.buffer')}
              value={warm.buffer}
              unset={undefined}
              none="1"
              least={1}
              most={100}
              onChange={(buffer) => onChange({ ...draft, warm: { ...warm, buffer } })}
            />
            <NumberField
              label="Servers in all, at least"
              hint="With those in matches, 0 to 100."
              error={faults.get('server_settings.warm.min')}
              value={warm.min}
              unset={undefined}
              none="0"
              least={0}
              most={100}
              onChange={(min) => onChange({ ...draft, warm: { ...warm, min } })}
            />
          </div>
        )}
      </div>
    </Card>
  )
}

type Variables = readonly (readonly [name: string, value: string])[]

const environmentOf = (rows: Variables): ServerSettings['environment'] => {
  const named = rows.filter(([name]) => name !== '')
  return named.length === 0 ? undefined : Object.fromEntries(named)
}

/** Form for the environment variables of the program. */
export function EnvironmentForm({ draft, faults, onChange }: FormProps) {
  // While a name is typed, it can be empty or equal to another name, so the rows are kept as they were typed.
  const kept = useSignal<{ readonly of: string; readonly rows: Variables }>({ of: '', rows: [] })
  const of = JSON.stringify(draft.environment ?? {})
  const rows: Variables = kept.value.of === of ? kept.value.rows : Object.entries(draft.environment ?? {})
  const set = (next: Variables) => {
    const environment = environmentOf(next)
    kept.value = { of: JSON.stringify(environment ?? {}), rows: next }
    onChange({ ...draft, environment })
  }
  const setRow = (place: number, row: Variables[number] | undefined) =>
    set(rows.flatMap((one, at) => (at === place ? (row === undefined ? [] : [row]) : [one])))
  const wrong = [...faults].filter(([place]) => place.startsWith('server_settings.environment'))
  const names = rows.map(([name]) => name)
  const isTwice = new Set(names).size < names.length
  return (
    <Card title="Environment variables" help={<HelpLink on={HELP.environment} />}>
      <div class="queue-ports">
        {rows.map(([name, value], place) => (
          // The index is the key, because the name changes while it is edited.
          <div key={place} class="queue-variable">
            <Input
              aria-label={`Variable ${place + 1}, name`}
              placeholder="NAME"
              value={name}
              onInput={(next) => setRow(place, [next, value])}
            />
            <Input
              aria-label={`Variable ${place + 1}, value`}
              placeholder="value"
              value={value}
              onInput={(next) => setRow(place, [name, next])}
            />
            <Button
              kind="quiet"
              small
              icon="cross"
              label={`Remove variable ${place + 1}`}
              onClick={() => setRow(place, undefined)}
            />
          </div>
        ))}
        {wrong.map(([place, message]) => (
          <p key={place} class="hint wrong">{`${place.slice('server_settings.environment.'.length)}: ${message}`}</p>
        ))}
        {isTwice && (
          <p class="hint wrong" role="alert">
            Two variables have the same name. Use different names.
          </p>
        )}
        <p class="hint">{'${secret:NAME} stands for the value of a secret of the project.'}</p>
        <div class="line">
          <Button small kind="quiet" icon="plus" disabled={rows.length >= 64} onClick={() => set([...rows, ['', '']])}>
            Add a variable
          </Button>
        </div>
      </div>
    </Card>
  )
}

/** Field for the custom data, which is free-form JSON for the game's own program. */
export function CustomDataForm({ draft, faults, onChange }: FormProps) {
  const { custom_data, ...others } = draft
  const text = useSignal(custom_data === undefined ? '' : JSON.stringify(custom_data, null, 2))
  const wrong = useSignal<string | undefined>(undefined)
  const input = (next: string) => {
    text.value = next
    wrong.value = undefined
    if (next.trim() === '') return onChange(others)
    try {
      const parsed: unknown = JSON.parse(next)
      const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      if (isObject) onChange({ ...draft, custom_data: parsed as NonNullable<typeof custom_data> })
      else wrong.value = 'The value must be a JSON object.'
    } catch (error) {
      wrong.value = sentenceOf(error)
    }
  }
  return (
    <Card title="Custom data" help={<HelpLink on={HELP.customData} />}>
      <Field
        label="Data for the program"
        hint="A JSON object of your own. The program reads it from its configuration file."
        error={wrong.value ?? faults.get('server_settings.custom_data')}
      >
        {(given) => <TextArea {...given} mono rows={4} value={text.value} onInput={input} />}
      </Field>
    </Card>
  )
}
