import type { ServerSettings } from '@matchyard/client/admin'
import { href } from '../../data/route'
import { Button, Card, Check, Field, Input, Select } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'
import { useNamed } from '../builds/use-named'
import { faultOf } from '../builds/versions'
import type { DraftFaults, QueueDraft } from './draft'
import { Ports } from './ports'
import { CustomDataForm, EnvironmentForm, PlaceForm, WarmForm } from './server-forms'

interface FormProps {
  readonly draft: ServerSettings
  /** Faults that the service found when the draft was last applied. */
  readonly faults: DraftFaults
  readonly onChange: (draft: ServerSettings) => void
}

interface GameServerFormProps {
  readonly draft: QueueDraft
  /** Faults that the service found when the draft was last applied. */
  readonly faults: DraftFaults
  readonly onChange: (changes: Partial<QueueDraft>) => void
}

/** Form of the server settings. */
export function GameServerForm({ draft: whole, faults, onChange: change }: GameServerFormProps) {
  const draft = whole.server_settings
  const onChange = (server_settings: ServerSettings) => change({ server_settings })
  const ports = [...faults].filter(([place]) => place.startsWith('server_settings.network_ports'))
  return (
    <div class="halves">
      <div class="stack">
        <Program draft={draft} faults={faults} onChange={onChange} />
        <Card title="Ports" help={<HelpLink on={HELP.ports} />}>
          <Ports
            of={draft.network_ports ?? []}
            errors={ports.map(([place, message]) => `${place.slice('server_settings.'.length)}: ${message}`)}
            onChange={(network_ports) => onChange({ ...draft, network_ports })}
          />
        </Card>
      </div>
      <div class="stack">
        <PlaceForm draft={draft} faults={faults} onChange={onChange} />
        <WarmForm draft={draft} faults={faults} onChange={onChange} />
        <EnvironmentForm draft={draft} faults={faults} onChange={onChange} />
        <CustomDataForm draft={draft} faults={faults} onChange={onChange} />
      </div>
    </div>
  )
}

const SOURCES = [
  ['build', 'The service starts them from a build'],
  ['external', 'Your backend assigns its own'],
] as const

const READINESS = [
  ['port', 'The ports accept connections'],
  ['self', 'The program reports ready'],
  ['uptime', 'The program has run for one second'],
] as const

function Program({ draft, faults, onChange }: FormProps) {
  const fault = (name: keyof ServerSettings) => faults.get(`server_settings.${name}`)
  const { named } = useNamed()
  const names = named.filter(({ ready }) => ready !== undefined).map(({ name }) => name)
  const { version_tag: tag = '' } = draft
  const others = tag === '' || names.includes(tag) ? names : [tag, ...names]
  // A pinned version belongs to its build, so another build starts without a pinned version.
  const { version: _, version_tag: __, ...rest } = draft
  const choose = (name: string) => onChange(name === '' ? rest : { ...rest, version_tag: name })
  return (
    <Card
      title="Game server"
      help={<HelpLink on={HELP.gameServer} />}
      actions={
        tag !== '' && (
          <a class="small" href={href('builds', tag)}>
            Open the build
          </a>
        )
      }
    >
      <div class="stack">
        <Field label="Servers" error={fault('source')}>
          {(given) => (
            <Select
              {...given}
              value={draft.source ?? 'build'}
              options={SOURCES}
              onChange={(source) => onChange({ ...draft, source: source === 'build' ? undefined : source })}
            />
          )}
        </Field>
        <div class="queue-program">
          <Field label="Build" error={fault('version_tag')}>
            {(given) => (
              <Select
                {...given}
                value={tag}
                options={[
                  ...others.map((one) => [one, one] as const),
                  ['', 'None (matches run without a server)'] as const,
                ]}
                onChange={choose}
              />
            )}
          </Field>
          {tag !== '' && <Version draft={draft} error={fault('version')} onChange={onChange} />}
        </div>
        <Field
          label="Ready when"
          hint="The server is also ready when the program reports ready."
          error={fault('readiness')}
        >
          {(given) => (
            <Select
              {...given}
              value={draft.readiness ?? 'port'}
              options={READINESS}
              onChange={(readiness) => onChange({ ...draft, readiness })}
            />
          )}
        </Field>
        <Field
          label="Startup arguments"
          hint="${PORT_GAME}, ${INSTANCE_ID} and other placeholders are replaced by their values."
          error={fault('startup_args')}
        >
          {(given) => (
            <Input
              {...given}
              value={draft.startup_args ?? ''}
              onInput={(startup_args) => onChange({ ...draft, startup_args: startup_args || undefined })}
            />
          )}
        </Field>
        <Check
          checked={draft.auto_restart === true}
          onChange={(isOn) => onChange({ ...draft, auto_restart: isOn || undefined })}
        >
          Automatic restart: start the program again after a crash
        </Check>
      </div>
    </Card>
  )
}

/** Field for the version of the build: the newest version, or a pinned version. */
function Version({
  draft: { version, ...rest },
  error,
  onChange,
}: {
  readonly draft: ServerSettings
  readonly error: string | undefined
  readonly onChange: (draft: ServerSettings) => void
}) {
  const { live, named } = useNamed()
  const build = named.find(({ name }) => name === rest.version_tag)
  const isHeld = version !== undefined && version !== null
  const known = (build?.versions ?? []).filter(({ status }) => status === 'ready').map((one) => one.version)
  const versions = !isHeld || known.includes(version) ? known : [version, ...known]
  const why = live.reading.value.is === 'ready' ? faultOf(build, version ?? undefined) : undefined
  const newest = build?.ready === undefined ? 'Newest version' : `Newest version, now v${build.ready.version}`
  const wordsOf = (one: number) =>
    `Pinned to v${one}${faultOf(build, one)?.endsWith('disabled') ? ' (this version is disabled)' : ''}`
  return (
    <div class="stack tight">
      <Field
        label="Version"
        error={error ?? (why === undefined ? undefined : `${why}: matches of this queue get no server.`)}
      >
        {(given) => (
          <Select
            {...given}
            value={isHeld ? `${version}` : ''}
            options={[['', newest] as const, ...versions.map((one) => [`${one}`, wordsOf(one)] as const)]}
            onChange={(one) => onChange(one === '' ? rest : { ...rest, version: Number(one) })}
          />
        )}
      </Field>
      {isHeld && (
        <div class="line">
          <Button small onClick={() => onChange(rest)}>
            Use the newest version
          </Button>
        </div>
      )}
    </div>
  )
}
