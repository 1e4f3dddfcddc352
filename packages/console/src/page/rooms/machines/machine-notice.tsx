import type { Machine } from '@matchyard/client/admin'
import { Clock, Text, Time } from '../../ui'
import { now } from '../../ui/time'
import { drainLeft, serversTold, shownStatus } from './machines'

/** Sentences about the status of a machine, with the next step of the operator. */
export function MachineNotice({ of: machine }: { readonly of: Machine }) {
  switch (shownStatus(machine)) {
    case 'ready':
      return null
    case 'lost':
      return <Lost of={machine} />
    case 'paused':
      return (
        <div class="notice bad">
          Launches on this machine failed, so it pauses by itself and gets no new servers for at most 30 minutes.
          Uncordon it after you have removed the cause. Last failure:{' '}
          <Text lines={4}>{machine.status_reason ?? ''}</Text>
        </div>
      )
    case 'cordoned':
      return <div class="notice">The machine gets no new servers. Its servers continue.</div>
    case 'draining':
      return <Draining of={machine} />
    case 'drained':
      return (
        <div class="notice">
          No server is left, and the machine gets no new ones. It can be switched off. Uncordon it after the work.
        </div>
      )
  }
}

function Lost({ of: { machine_id, last_seen_at } }: { readonly of: Machine }) {
  return (
    <div class="notice bad">
      {last_seen_at === null ? (
        'The machine sends no reports.'
      ) : (
        <>
          The last report came <Time at={last_seen_at} />.
        </>
      )}{' '}
      When the machine is back, it has its earlier status. A machine that will not come back is removed with{' '}
      <code>matchyard machines remove {machine_id}</code>.
    </div>
  )
}

function Draining({ of: machine }: { readonly of: Machine }) {
  const left = drainLeft(machine, now.value)
  return (
    <div class="notice">
      The machine gets no new servers; {serversTold(machine)} {machine.servers === 1 ? 'is' : 'are'} left.{' '}
      {machine.drain_by === null ? (
        'Their matches run to their end.'
      ) : (
        <>
          Servers that still run at <Clock at={machine.drain_by} /> are stopped ({left}).
        </>
      )}
    </div>
  )
}
