import type { PortRequest } from '@matchyard/client/admin'
import { Button, Input, Select } from '../../ui'
import { numberOf } from './draft'

/** Maximum number of ports of one game server. */
const MOST = 16

/** Default of the first port: the usual port of game servers. */
export const FIRST_PORT: PortRequest = { name: 'game', protocol: 'udp', internal_port: 7_777 }

/** Form for the ports of a game server. */
export function Ports({
  of,
  errors,
  onChange,
}: {
  readonly of: readonly PortRequest[]
  /** Faults of the ports, in the service's words. */
  readonly errors: readonly string[]
  readonly onChange: (ports: readonly PortRequest[]) => void
}) {
  const change = (place: number, port: PortRequest) => onChange(of.map((one, at) => (at === place ? port : one)))
  const add = () =>
    onChange([
      ...of,
      of.length === 0 ? FIRST_PORT : { ...FIRST_PORT, name: `port${of.length + 1}`, internal_port: 7_777 + of.length },
    ])
  return (
    <fieldset class="queue-ports" aria-label="Ports">
      {of.map((port, place) => (
        // The index is the key, because the name changes while it is edited.
        <div key={place} class="queue-port">
          <Input
            aria-label={`Port ${place + 1}, name`}
            value={port.name}
            maxLength={64}
            onInput={(name) => change(place, { ...port, name })}
          />
          <Select
            label={`Port ${place + 1}, protocol`}
            value={port.protocol ?? 'udp'}
            options={[
              ['udp', 'UDP'],
              ['tcp', 'TCP'],
              ['tcp+udp', 'TCP and UDP'],
            ]}
            onChange={(protocol) => change(place, { ...port, protocol, tls_enabled: false })}
          />
          <Input
            aria-label={`Port ${place + 1}, number`}
            type="number"
            min={1}
            value={port.internal_port ?? ''}
            onInput={(text) => change(place, { ...port, internal_port: numberOf(text) } as PortRequest)}
          />
          <Button
            kind="quiet"
            small
            icon="cross"
            label={`Remove port ${place + 1}`}
            onClick={() => onChange(of.filter((_, at) => at !== place))}
          />
        </div>
      ))}
      {errors.map((error) => (
        <p key={error} class="hint wrong">
          {error}
        </p>
      ))}
      <p class="hint">
        {of.length === 0
          ? 'Without a port the server gets no PORT_… environment variable and is ready after running for one second.'
          : 'The program reads each port from an environment variable: PORT_ and the name in capitals. The number applies only inside a container.'}
      </p>
      <div class="line">
        <Button small kind="quiet" icon="plus" disabled={of.length >= MOST} onClick={add}>
          Add a port
        </Button>
      </div>
    </fieldset>
  )
}
