import type { PortRequest } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useLive, useProject } from '../../data/hooks'
import { idOfName } from '../../data/id-of-name'
import { go } from '../../data/route'
import { type Faults, Field, FormDialog, faultsOf, Input, NO_FAULTS, Select } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'
import { FIRST_PORT, Ports } from './ports'

/** Dialog for a new queue with the most common settings; other settings are edited later. */
export function NewQueueDialog({ onClose }: { readonly onClose: () => void }) {
  const { admin } = useProject()
  const builds = useLive('build').things
  void builds.revision.value
  const ready = builds.all().filter(({ status }) => status === 'ready')
  const names = [...new Set(ready.map((one) => one.name))]
  const name = useSignal('Duel')
  const id = useSignal<string | undefined>(undefined)
  const teams = useSignal('2')
  const players = useSignal('1')
  const build = useSignal<string | undefined>(undefined)
  const written = useSignal<readonly PortRequest[] | undefined>(undefined)
  const wrong = useSignal<Faults>(NO_FAULTS)
  const queueId = id.value ?? idOfName(name.value)
  const chosen = build.value ?? names[0] ?? ''
  // A container image may listen on any port, so no port is assumed. A program of a ZIP build reads its port from an
  // environment variable, so any number will do.
  const isProgram = ready.find((one) => one.name === chosen)?.build_type === 'zip'
  const ports = written.value ?? (isProgram ? [FIRST_PORT] : [])
  const make = async () => {
    wrong.value = NO_FAULTS
    try {
      await admin.queues.create({
        queue_id: queueId,
        name: name.value.trim(),
        matchmaking: { teams: Number(teams.value), players_per_team: Number(players.value) },
        ...(chosen === '' ? {} : { server_settings: { version_tag: chosen, network_ports: ports } }),
      })
      onClose()
      go('queues', queueId)
    } catch (error) {
      wrong.value = faultsOf(error, ['network_ports', 'queue_id', 'name', 'teams', 'players_per_team', 'version_tag'], {
        QUEUE_EXISTS: 'queue_id',
      })
    }
  }
  const { of } = wrong.value
  return (
    <FormDialog
      title="New queue"
      help={<HelpLink on={HELP.queue} />}
      onClose={onClose}
      confirm="Create queue"
      disabled={name.value.trim() === '' || queueId === ''}
      onConfirm={make}
      faults={wrong.value}
    >
      <Field label="Name" error={of.name}>
        {(given) => <Input {...given} value={name.value} maxLength={128} onInput={(value) => (name.value = value)} />}
      </Field>
      <Field label="Id" hint="The id that your game uses. The id cannot be changed later." error={of.queue_id}>
        {(given) => <Input {...given} value={queueId} maxLength={64} onInput={(value) => (id.value = value)} />}
      </Field>
      <div class="short-fields queue-fields">
        <Field label="Teams" error={of.teams}>
          {(given) => (
            <Input {...given} type="number" min={1} value={teams.value} onInput={(value) => (teams.value = value)} />
          )}
        </Field>
        <Field label="Players per team" error={of.players_per_team}>
          {(given) => (
            <Input
              {...given}
              type="number"
              min={1}
              value={players.value}
              onInput={(value) => (players.value = value)}
            />
          )}
        </Field>
      </div>
      <Field
        label="Game server"
        hint={names.length === 0 ? 'No build is ready: matches of this queue run without a server.' : undefined}
        error={of.version_tag}
      >
        {(given) => (
          <Select
            {...given}
            value={chosen}
            options={[...names.map((one) => [one, one] as const), ['', 'None (matches run without a server)'] as const]}
            onChange={(value) => (build.value = value)}
          />
        )}
      </Field>
      {chosen !== '' && (
        <Ports
          of={ports}
          errors={of.network_ports === undefined ? [] : [of.network_ports]}
          onChange={(next) => (written.value = next)}
        />
      )}
    </FormDialog>
  )
}
