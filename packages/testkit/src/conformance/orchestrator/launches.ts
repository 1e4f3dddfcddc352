import assert from 'node:assert/strict'
import type { PortMapping, PortRequest } from '@matchyard/core'
import type { LaunchSpec, ObservedServer, Orchestrator, ServerExit } from '@matchyard/core/ports'
import type { OrchestratorUnderTest } from './harness'
import { isLive } from './live'
import { eventually, type ProbeReport, reportOf, tell } from './probe-client'

export const CONTROL: PortRequest = { name: 'control', protocol: 'tcp', internalPort: 7001, tlsEnabled: false }
export const GAME: PortRequest = { name: 'game', protocol: 'udp', internalPort: 7002, tlsEnabled: false }
/** One port for both protocols. */
export const BOTH: PortRequest = { name: 'both', protocol: 'tcp+udp', internalPort: 7004, tlsEnabled: false }
export const LATE: PortRequest = { name: 'late', protocol: 'tcp', internalPort: 7003, tlsEnabled: false }

let launches = 0

/** Returns a launch spec for the probe (the game server of the suite), with ports that no other launch uses. */
export async function specFor(
  subject: OrchestratorUnderTest,
  options: Partial<LaunchSpec> & { requests?: readonly PortRequest[] } = {},
): Promise<LaunchSpec> {
  const { requests = [CONTROL, GAME], ...rest } = options
  const instanceId = rest.instanceId ?? `srv_${Date.now().toString(36)}${process.pid.toString(36)}x${++launches}`
  const networkPorts = rest.networkPorts ?? (await portsFor(subject, requests))
  return {
    instanceId,
    attempt: 1,
    projectId: 'prj_suite',
    matchId: null,
    readiness: 'port',
    region: 'iad',
    tier: '1x-1g',
    tierSize: { cpus: 1, memoryGib: 1 },
    build: await subject.build('probe'),
    startupArgs: '',
    networkPorts,
    portRequests: requests,
    config: {
      instance_id: instanceId,
      custom_data: { mode: 'ctf', größe: [1, null] },
      token: 'a secret of this server',
    },
    ...rest,
  }
}

/** Returns the ports that the orchestrator proposes; empty where the platform assigns ports later. */
export async function portsFor(
  { orchestrator }: Pick<OrchestratorUnderTest, 'orchestrator'>,
  requests: readonly PortRequest[],
  pool?: string,
): Promise<readonly PortMapping[]> {
  const proposed = await orchestrator.proposePorts(requests, pool)
  return proposed === 'later' ? [] : proposed
}

/**
 * Returns the spec with its ports. Where the platform assigns ports after the launch, the function waits for these
 * ports.
 */
export async function placed(subject: OrchestratorUnderTest, spec: LaunchSpec): Promise<LaunchSpec> {
  const { orchestrator } = subject
  if ((await orchestrator.proposePorts([])) !== 'later' || spec.portRequests.length === 0) return spec
  const networkPorts = await eventually(`${spec.instanceId} has ports`, async () => {
    const found = (await seen(orchestrator, spec.instanceId)).find(({ attempt }) => attempt === spec.attempt)
    return found?.networkPorts
  })
  return { ...spec, networkPorts }
}

export const port = (spec: LaunchSpec, name = 'control'): PortMapping => {
  const found = spec.networkPorts.find((mapping) => mapping.name === name)
  assert.ok(found, `the spec has a port ${name}`)
  return found
}

export interface Running {
  readonly spec: LaunchSpec
  readonly control: PortMapping
  readonly report: ProbeReport
}

/** Launches the probe and waits until it is ready. */
export async function running(
  subject: OrchestratorUnderTest,
  options: Parameters<typeof specFor>[1] = {},
): Promise<Running> {
  const asked = await specFor(subject, options)
  assert.deepEqual(await subject.orchestrator.launch(asked), { ok: true })
  await untilState(subject.orchestrator, asked, 'ready')
  const spec = await placed(subject, asked)
  return { spec, control: port(spec), report: await reportOf(port(spec)) }
}

export async function seen(orchestrator: Orchestrator, instanceId: string): Promise<ObservedServer[]> {
  return (await orchestrator.observe()).filter((server) => server.instanceId === instanceId)
}

/** Returns the observed attempts of an instance, without the ports and start times, which the platform may choose. */
export async function seenStates(orchestrator: Orchestrator, instanceId: string): Promise<ObservedServer[]> {
  return (await seen(orchestrator, instanceId)).map(({ networkPorts, startedAt, ...rest }) => rest)
}

export function untilState(
  orchestrator: Orchestrator,
  { instanceId, attempt }: Pick<LaunchSpec, 'instanceId' | 'attempt'>,
  state: ObservedServer['state'],
): Promise<ObservedServer> {
  return eventually(`${instanceId} attempt ${attempt} is ${state}`, async () => {
    const found = (await seen(orchestrator, instanceId)).find((server) => server.attempt === attempt)
    assert.ok(found === undefined || found.state === state || found.state !== 'exited', JSON.stringify(found))
    return found?.state === state ? found : undefined
  })
}

export async function untilExit(
  orchestrator: Orchestrator,
  launch: Pick<LaunchSpec, 'instanceId' | 'attempt'>,
): Promise<ServerExit> {
  const { exit } = await untilState(orchestrator, launch, 'exited')
  assert.ok(exit, 'an exited server has an exit')
  return exit
}

/**
 * Asserts that the probe of an instance was started exactly `times` times. The probe prints a line at each start, and
 * the function counts these lines.
 */
export async function assertStarts(orchestrator: Orchestrator, instanceId: string, times: number): Promise<void> {
  const count = async () => {
    const lines = await orchestrator.logs(instanceId, { limit: 10_000 })
    return lines.filter(({ message }) => message.startsWith('started ')).length
  }
  await eventually(`${instanceId} was started ${times} times`, async () => (await count()) >= times)
  assert.equal(await count(), times)
}

/** Asserts that no process of an instance runs: the orchestrator does not observe the instance as live. */
export async function assertGone(orchestrator: Orchestrator, spec: LaunchSpec): Promise<void> {
  assert.deepEqual((await seen(orchestrator, spec.instanceId)).filter(isLive), [])
}

/**
 * The values with which the orchestrator reports a crash. After a restart of the service, it must report the same
 * values.
 */
type Crash = Pick<ServerExit, 'code' | 'signal'>

/**
 * Whether the platform runs the server as the first process of a container. A first process cannot end itself by a
 * signal.
 */
export const isFirstProcess = ({ capabilities }: Pick<Orchestrator, 'capabilities'>): boolean =>
  capabilities.limitations.some((sentence) => /first process/i.test(sentence))

/**
 * Makes the server crash, and returns the exit that the orchestrator must report. A server ends itself by a signal; the
 * first process of a container exits with a code instead.
 */
export async function crash(
  { capabilities }: Pick<Orchestrator, 'capabilities'>,
  control: PortMapping,
): Promise<Crash> {
  const isFirst = isFirstProcess({ capabilities })
  await tell(control, isFirst ? { do: 'exit', code: 9 } : { do: 'signal', name: 'SIGKILL' })
  return isFirst ? { code: 9, signal: null } : { code: null, signal: 'SIGKILL' }
}
