import type { Machine } from '@matchyard/client/admin'
import { type Column, Meter, number, StatusOf, Text, Time } from '../../ui'
import { now } from '../../ui/time'
import { drainLeft, gib, shareInUse, shownStatus } from './machines'

/** Columns of a table of machines. */
export const MACHINE_COLUMNS: readonly Column<Machine>[] = [
  { id: 'name', title: 'Machine', width: 'minmax(64px, 2fr)', cell: ({ name }) => <Text>{name}</Text> },
  { id: 'status', title: 'Status', width: 'minmax(144px, 1.4fr)', cell: (machine) => <MachineStatus of={machine} /> },
  {
    id: 'servers',
    title: 'Servers',
    width: '64px',
    end: true,
    cell: ({ servers, capacity }) =>
      capacity.servers === undefined ? number(servers) : `${number(servers)} / ${number(capacity.servers)}`,
  },
  { id: 'room', title: 'In use', width: '112px', wide: true, cell: (machine) => <InUse of={machine} /> },
  {
    id: 'seen',
    title: 'Last report',
    width: '96px',
    end: true,
    wide: true,
    cell: ({ last_seen_at }) => <Time at={last_seen_at} />,
  },
  {
    id: 'cpu',
    title: 'CPU',
    width: '56px',
    end: true,
    wide: true,
    cell: ({ load }) => (load === null ? <None /> : percent(load.cpu_percent / 100)),
  },
  {
    id: 'memory',
    title: 'Memory',
    width: '72px',
    end: true,
    wide: true,
    cell: ({ load }) => (load === null ? <None /> : gib(load.memory_mb)),
  },
  { id: 'version', title: 'Version', width: '72px', wide: true, cell: ({ version }) => <Text>{version ?? '–'}</Text> },
]

const None = () => <span class="quiet">–</span>

/** Returns a share from 0 to 1 as text. */
export const percent = (share: number): string => `${Math.round(share * 100)} %`

/** Status of a machine; for a drain with a deadline also the time left. */
export function MachineStatus({ of: machine }: { readonly of: Machine }) {
  const left = drainLeft(machine, now.value)
  return (
    <>
      <StatusOf kind="machine" is={shownStatus(machine)} />
      {left !== undefined && <span class="quiet small figures"> {left}</span>}
    </>
  )
}

/** Largest share of a limit that is in use. */
function InUse({ of: machine }: { readonly of: Machine }) {
  const share = shareInUse(machine)
  if (share === undefined) return <span class="quiet">no limit</span>
  return (
    <span class="machine-use">
      <Meter value={share} most={1} label={`${percent(share)} of the capacity is in use`} />
      <span class="figures">{percent(share)}</span>
    </span>
  )
}
