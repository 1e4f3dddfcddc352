import { Button, Input, Select } from '../../ui'

/** A port as it is written into the form. */
export interface Port {
  readonly name: string
  readonly protocol: 'udp' | 'tcp'
  readonly internal: string
}

/** As the service is asked for it. */
export const asked = ({ name, protocol, internal }: Port) => ({
  name: name.trim(),
  protocol,
  internal_port: Number(internal),
})

/** Ports of one server, at the most. */
const MOST = 16

/** The ports that a game server listens on. */
export function Ports({
  of,
  error,
  onChange,
}: {
  readonly of: readonly Port[]
  readonly error: string | undefined
  readonly onChange: (ports: readonly Port[]) => void
}) {
  const change = (place: number, part: Partial<Port>) =>
    onChange(of.map((one, at) => (at === place ? { ...one, ...part } : one)))
  const add = () => onChange([...of, { name: nameOf(of.length), protocol: 'udp', internal: `${7_777 + of.length}` }])
  return (
    <fieldset class="queue-ports" aria-label="Ports">
      {of.map(({ name, protocol, internal }, place) => (
        <div key={place} class="queue-port">
          <Input
            aria-label={`Port ${place + 1}, name`}
            value={name}
            maxLength={64}
            onInput={(value) => change(place, { name: value })}
          />
          <Select
            label={`Port ${place + 1}, protocol`}
            value={protocol}
            options={[
              ['udp', 'UDP'],
              ['tcp', 'TCP'],
            ]}
            onChange={(value) => change(place, { protocol: value })}
          />
          <Input
            aria-label={`Port ${place + 1}, number`}
            type="number"
            min={1}
            value={internal}
            onInput={(value) => change(place, { internal: value })}
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
      {error !== undefined && <p class="hint wrong">{error}</p>}
      <p class="hint">
        {of.length === 0
          ? 'Without a port the server runs once it has stayed up for a second.'
          : 'Each is told to the program as PORT_ and its name in capitals; the number is that inside a container.'}
      </p>
      <div class="line">
        <Button small kind="quiet" icon="plus" disabled={of.length >= MOST} onClick={add}>
          Add a port
        </Button>
      </div>
    </fieldset>
  )
}

const nameOf = (count: number): string => (count === 0 ? 'game' : `port${count + 1}`)
