import type { Orchestrator, ServerLogLine } from '../ports/orchestrator'
import { newestLines } from '../server/log-line'
import type { JsonValue } from '../shared/json'
import { MAX_REPORT_BYTES } from './link-limits'
import type { AgentCall } from './protocol'

/** Bytes that an answer with log lines needs besides the lines. */
const AROUND_LINES = 1_024

const fitting = (lines: readonly ServerLogLine[]) => newestLines(lines, MAX_REPORT_BYTES - AROUND_LINES)

/** Results of the calls, by the name of the call. */
const HANDS: {
  readonly [Name in AgentCall['call']]: (
    orchestrator: Orchestrator,
    call: Extract<AgentCall, { call: Name }>,
  ) => Promise<unknown>
} = {
  observe: (orchestrator, { of, among }) =>
    orchestrator.observe(of, among === undefined ? {} : { among: new Set(among) }),
  launch: (orchestrator, { spec }) => orchestrator.launch(spec),
  stop: (orchestrator, { instanceId, graceMs }) => orchestrator.stop(instanceId, { graceMs }),
  forget: (orchestrator, { instanceId }) => orchestrator.forget(instanceId),
  prune: (orchestrator) => orchestrator.prune(),
  admit: (orchestrator, { wish, held }) => orchestrator.admit({ ...wish, held: async () => held }),
  proposePorts: (orchestrator, { requests, pool }) => orchestrator.proposePorts(requests, pool),
  keepWarm: (orchestrator, { pools }) => orchestrator.keepWarm(pools),
  logs: async (orchestrator, { instanceId, limit, since }) =>
    fitting(await orchestrator.logs(instanceId, { limit, ...(since === undefined ? {} : { since }) })),
  prepareImage: (orchestrator, { image }) => orchestrator.prepareImage(image, () => {}),
}

/** Whether this release of the agent knows the call. */
export const isKnownCall = ({ call }: { readonly call: string }): boolean => Object.hasOwn(HANDS, call)

/** Carries out a call, and returns its result; null for a call without a result. */
export async function carryOut(orchestrator: Orchestrator, call: AgentCall): Promise<JsonValue> {
  const hand = HANDS[call.call] as (orchestrator: Orchestrator, call: AgentCall) => Promise<unknown>
  return ((await hand(orchestrator, call)) ?? null) as JsonValue
}

/** Calls that may take long, because they download, unpack or remove files. */
const SLOW: ReadonlySet<string> = new Set<AgentCall['call']>(['launch', 'keepWarm', 'prune', 'prepareImage'])

/** Whether the call may take long. */
export const isSlowCall = ({ call }: { readonly call: string }): boolean => SLOW.has(call)

/**
 * Returns the key of the calls that run one after another with this call; undefined for a call that runs at any time. `observe` of an
 * instance waits for its launch, so that the answer `no such server` is never given while the launch is under way.
 */
export function orderOf(call: AgentCall): string | undefined {
  switch (call.call) {
    case 'launch':
      return `instance ${call.spec.instanceId}`
    case 'stop':
    case 'forget':
      return `instance ${call.instanceId}`
    case 'observe':
      return call.of === undefined ? undefined : `instance ${call.of}`
    case 'keepWarm':
    case 'prune':
      return call.call
    default:
      return undefined
  }
}
