import {
  MACHINE_KINDS,
  MACHINE_STATUSES,
  type MachineLoad,
  type MachineState,
  type MintedMachineToken,
  type RoomInUse,
} from '@matchyard/core'
import { DRAIN_SECONDS } from '@matchyard/core/domain'
import type { NodeLimits } from '@matchyard/core/ports'
import {
  answerOf,
  bodyOf,
  extensionOf,
  given,
  instant,
  listOf,
  NAMES_OF,
  nullable,
  optional,
  required,
  told,
} from './codec/index'
import { flag, number, oneOf, region, string, whole, wholeIn } from './shared'

export const drain = bodyOf({
  deadlineSeconds: optional(
    wholeIn(DRAIN_SECONDS),
    'Seconds after which the remaining servers are stopped; by default they run to the end of their matches.',
  ),
})

const capacity = answerOf<NodeLimits>(NAMES_OF.machineCapacity)({
  maxServers: given(whole, 'Maximum number of servers; absent without a limit.'),
  maxServerCpus: given(number, 'Maximum number of processors for all servers together; absent without a limit.'),
  maxServerMemoryMb: given(whole, 'Maximum megabytes of memory for all servers together; absent without a limit.'),
})

const used = answerOf<RoomInUse>()({
  servers: required(whole, 'Number of servers.'),
  cpus: required(number, 'Processors of these servers.'),
  memoryMb: required(number, 'Megabytes of memory of these servers.'),
})

const load = answerOf<MachineLoad>()({
  cpuPercent: required(
    number,
    'Load average of the last minute, in percent of all processors; above 100 when programs wait for a processor.',
  ),
  memoryMb: required(number, 'Memory in use by all programs, in megabytes.'),
})

export const machine = answerOf<MachineState>(NAMES_OF.machine)(
  {
    id: required(string, 'Id; servers have it as `node_id`.'),
    name: required(string, 'Display name.'),
    kind: required(
      oneOf(MACHINE_KINDS),
      'Kind; an `agent` connects with a token, and several nodes share a `cluster`.',
    ),
    regions: required(
      listOf(region),
      'Regions whose servers run on the machine, in order of preference; empty until an agent has connected.',
    ),
    status: required(
      oneOf(MACHINE_STATUSES),
      'Status; only a `ready` machine gets new servers, and a `drained` one has none.',
    ),
    statusReason: required(
      nullable(string),
      'Cause of `cordoned`, when launches failed and the machine pauses by itself; else null.',
    ),
    drainBy: required(nullable(instant), 'Time at which the remaining servers are stopped; null without a deadline.'),
    servers: told(whole, ({ used: { servers } }) => servers, 'Number of servers.'),
    capacity: required(capacity, 'Limits for all servers together.'),
    used: required(used, 'Capacity that the servers use.'),
    load: required(nullable(load), 'Load of the machine, as it last reported it; null when it was not measured.'),
    release: required(nullable(string), 'Version of the service on the machine; null for a cluster.'),
    host: required(nullable(string), 'Address at which players reach the servers; null when it is not configured.'),
    peerUrl: required(
      nullable(string),
      'URL at which other nodes request the logs of its servers; null without one, and for a cluster.',
    ),
    lastSeenAt: required(nullable(instant), 'Time of the last report; null when there is none.'),
    hasToken: required(flag, 'Whether its agent can connect with a token; false for other kinds of machines.'),
    createdAt: required(instant, 'Time of the first report, or of the first token.'),
  },
  'Machine',
  'A machine that runs game servers.',
)

export const newToken = bodyOf({
  replace: optional(
    flag,
    "Whether the token may replace the machine's token, which then stops working; false by default.",
  ),
})

/** Codec of a machine with its new token. The answer contains the token unless the call was a repetition. */
export const mintedToken = extensionOf(machine, ({ machine: of }: MintedMachineToken) => of)(
  { token: given(string, 'Token of the agent, shown only once and not in a replayed answer.') },
  'MintedMachineToken',
  'A machine, with the new token of its agent.',
)

export const machines = answerOf<{ readonly machines: readonly MachineState[] }>()({
  machines: required(listOf(machine), 'All machines of the installation, by id.'),
})
