import type { Machine } from '@matchyard/client/admin'
import { regionsTold } from '../../data/regions'
import { isPaused, servedAlone, serversTold } from './machines'

const continues = (machine: Machine): string =>
  machine.servers === 0
    ? 'It has no servers now.'
    : `Its ${serversTold(machine)} ${machine.servers === 1 ? 'continues' : 'continue'}, and no match ends.`

/** Returns sentences for a change after which the machine takes no new servers. */
function closed(machine: Machine, machines: readonly Machine[]): readonly string[] {
  const alone = servedAlone(machine, machines)
  const wait = `No other machine takes new servers in ${regionsTold(alone)}: new matches wait for capacity.`
  return ['The machine gets no new servers.', ...(alone.length === 0 ? [] : [wait])]
}

/** Returns the effects of a cordon, as sentences. */
export const effectsOfCordon = (machine: Machine, machines: readonly Machine[]): string =>
  [...closed(machine, machines), continues(machine)].join(' ')

/** Returns the effects of an uncordon, as sentences. */
export function effectsOfUncordon(machine: Machine): string {
  const back = machine.status === 'lost' ? ' when it is back' : ''
  if (machine.status === 'draining')
    return 'The drain ends: the machine gets new servers again, and its servers are not stopped. Servers that the drain has stopped stay stopped.'
  if (isPaused(machine))
    return 'The pause ends: the machine gets new servers again. It pauses again after three more failed launches in a row.'
  return `The machine gets new servers again${back}.`
}

/** Returns the effects of a drain, as sentences. `end` is the time of the deadline as text; undefined without a deadline. */
export const effectsOfDrain = (
  machine: Machine,
  machines: readonly Machine[],
  end: string | undefined,
): readonly string[] => [
  ...closed(machine, machines),
  'Its warm servers end now. It is drained when its last server has ended.',
  end === undefined
    ? 'All matches run to their end.'
    : `Servers that still run at ${end} are stopped: their matches end, and their players are disconnected.`,
  'Uncordon ends the drain. Servers that were stopped stay stopped.',
]
