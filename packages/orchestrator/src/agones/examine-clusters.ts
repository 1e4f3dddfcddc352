import { setTimeout as sleep } from 'node:timers/promises'
import { TIER_SIZES } from '@matchyard/core'
import type { LaunchSpec } from '@matchyard/core/ports'
import { type ClusterChoice, clientsOf } from './clusters'
import type { KubeClient } from './kube/client'
import { wordsOf } from './kube/connection'
import { isRefused } from './kube/errors'
import { isNoAnswer } from './kube/no-answer'
import { ALLOCATIONS, GAMESERVERS, type ResourcePath } from './kube/resources'
import { gameServerManifest } from './manifest'
import { RIGHTS, type Right, rightInWords } from './rights'

/** Report about one cluster: its Agones, and the rights of this service. */
export interface ClusterReport {
  /** Name of the cluster's context in the kubeconfig file. */
  readonly context: string
  /** Namespace of the game servers. */
  readonly namespace: string
  /** Reason why the cluster could not be examined, or null. With a reason, the other findings are unknown. */
  readonly fault: string | null
  /** Version of Kubernetes. */
  readonly version: string
  /** Versions of the API group `agones.dev` in the cluster; empty when Agones is not installed. */
  readonly agonesVersions: readonly string[]
  /**
   * Reason why launches cannot take warm game servers, or null. Agones' extensions, not the cluster itself, answer
   * requests for such allocations.
   */
  readonly allocationFault: string | null
  /** Rights that this service lacks, as texts for the operator. */
  readonly missing: readonly string[]
  /**
   * Reason why the cluster would refuse a game server, found by a dry run; null when it would accept one, or when no
   * dry run was possible.
   */
  readonly dryRunFault: string | null
}

const PAUSES = { now: () => performance.now(), pause: (ms: number) => sleep(ms) }

/**
 * Examines each chosen cluster: whether it answers, whether Agones is installed, and which rights this service lacks.
 * Rejects with a TypeError when the kubeconfig cannot be used.
 */
export async function examineClusters(choice: ClusterChoice): Promise<readonly ClusterReport[]> {
  const { clients } = await clientsOf(choice, PAUSES)
  return Promise.all([...clients].map(([context, client]) => examine(context, client)))
}

async function examine(context: string, client: KubeClient): Promise<ClusterReport> {
  const { namespace } = client
  const unknown = { version: 'unknown', agonesVersions: [], allocationFault: null, missing: [], dryRunFault: null }
  try {
    return { context, namespace, fault: null, ...(await look(client)) }
  } catch (error) {
    if (!isNoAnswer(error)) throw error
    return { context, namespace, fault: error.message, ...unknown }
  }
}

async function look(client: KubeClient): Promise<Omit<ClusterReport, 'context' | 'namespace' | 'fault'>> {
  const { gitVersion = 'unknown' } = await client.ask<{ gitVersion?: string }>({ method: 'GET', path: '/version' })
  const agonesVersions = await versionsOf(client)
  const denied = await Promise.all(
    RIGHTS.map(async (right) => ((await mayDo(client, right)) ? [] : [rightInWords(right)])),
  )
  const missing = denied.flat()
  const isReady = agonesVersions.includes(GAMESERVERS.version) && missing.length === 0
  const dryRunFault = isReady ? await dryRun(client) : null
  const allocationFault = await allocationFaultOf(client)
  return { version: gitVersion, agonesVersions, allocationFault, missing, dryRunFault }
}

async function versionsOf(client: KubeClient): Promise<string[]> {
  try {
    const group = await client.ask<{ versions?: { version: string }[] }>({
      method: 'GET',
      path: `/apis/${GAMESERVERS.group}`,
    })
    return (group.versions ?? []).map(({ version }) => version)
  } catch (error) {
    if (isRefused(error, 404)) return []
    throw error
  }
}

/**
 * Returns the reason why allocations are not available, or null. The function asks for the API group with its version:
 * the cluster forwards this call to the server of Agones' extension. A call for the group without a version is answered
 * by the cluster itself, even without such a server.
 */
async function allocationFaultOf(client: KubeClient): Promise<string | null> {
  const { group, version, plural }: ResourcePath = ALLOCATIONS
  try {
    const { resources = [] } = await client.ask<{ resources?: { name: string }[] }>({
      method: 'GET',
      path: `/apis/${group}/${version}`,
    })
    return resources.some(({ name }) => name === plural) ? null : `${group}/${version} has no ${plural}`
  } catch (error) {
    if (isRefused(error, 404)) return `${group}/${version} is not served`
    if (isNoAnswer(error)) return `${group}/${version} does not answer: ${error.message}`
    throw error
  }
}

async function mayDo(client: KubeClient, right: Right): Promise<boolean> {
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { ...right, namespace: client.namespace } },
  }
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
  const { status } = await client.ask<{ status?: { allowed?: boolean } }>({ method: 'POST', path, body })
  return status?.allowed === true
}

/**
 * Returns the reason why the cluster would refuse a sample game server, or null. The dry run passes the cluster's
 * admission checks and creates no object.
 */
async function dryRun(client: KubeClient): Promise<string | null> {
  const settings = { installationId: 'doctor', template: {}, health: undefined, imagePullSecrets: [] }
  try {
    await client.create(GAMESERVERS, gameServerManifest(SAMPLE, settings), { dryRun: 'All' })
    return null
  } catch (error) {
    return wordsOf(error)
  }
}

const SAMPLE: LaunchSpec = {
  instanceId: 'srv_doctor',
  attempt: 1,
  projectId: 'prj_doctor',
  matchId: null,
  region: 'iad',
  tier: '1x-1g',
  tierSize: TIER_SIZES['1x-1g'],
  build: { type: 'docker_image', buildId: 'bld_doctor', image: `docker.io/library/none@sha256:${'0'.repeat(64)}` },
  startupArgs: '',
  networkPorts: [],
  portRequests: [{ name: 'game', protocol: 'udp', internalPort: 7777, tlsEnabled: false }],
  readiness: 'port',
  config: {},
}
