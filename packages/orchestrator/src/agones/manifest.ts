import type { Protocol } from '@matchyard/core'
import type { LaunchSpec } from '@matchyard/core/ports'
import { portVariable } from '@matchyard/core/ports'
import { CONFIG_FILE, CONFIG_PATH, launchArguments, SERVICE_ROOT, traceVariable } from '../kit/index'
import { ANNOTATION, CONTAINER, FINALIZER, gameServerName, hashOf, LABEL, labelValue } from './names'

const HOME = '/home/game'
const SCRATCH = '64Mi'
const MIB_OF_GIB = 1_024
const USUAL_GRACE_SECONDS = 10

/** Settings of the pods of a tier, in addition to the tier's size. */
export interface TierTemplate {
  /** Resource requests that replace the tier's own size, in Kubernetes' units: `{ cpu: '500m', memory: '512Mi' }`. */
  readonly requests?: Readonly<Record<string, string>>
  /** Resource limits that replace the tier's own size, in Kubernetes' units. */
  readonly limits?: Readonly<Record<string, string>>
  /** Labels of the cluster's nodes on which the pods may run. */
  readonly nodeSelector?: Readonly<Record<string, string>>
  /** Tolerations of the pods, with Kubernetes' field names. */
  readonly tolerations?: readonly object[]
  /** Name of the priority class of the pods. */
  readonly priorityClassName?: string
}

/** Agones' health checks of a game server that uses its SDK. */
export interface HealthTemplate {
  /** Seconds before the first health check. */
  readonly initialDelaySeconds?: number
  /** Seconds between two health checks. */
  readonly periodSeconds?: number
  /** Number of missed checks in a row after which the game server is unhealthy. */
  readonly failureThreshold?: number
}

export interface ManifestSettings {
  readonly installationId: string
  readonly template: TierTemplate
  /** Health checks by Agones; undefined turns them off. Even without them, the service detects the end of a server. */
  readonly health: HealthTemplate | undefined
  readonly imagePullSecrets: readonly string[]
}

/** Properties of a game server that is started for a launch or for a warm pool. */
export type Started = Pick<
  LaunchSpec,
  | 'instanceId'
  | 'matchId'
  | 'region'
  | 'tierSize'
  | 'build'
  | 'startupArgs'
  | 'environment'
  | 'secretVariables'
  | 'stopGraceSeconds'
  | 'portRequests'
  | 'trace'
>

/**
 * Returns the labels and annotations that describe a launch. The service finds the game server of a launch by them, and
 * reads the launch back in full. They do not depend on the game server, so that a warm game server can receive them
 * too.
 */
export function launchMarks(
  { instanceId, attempt, tierSize, tier, projectId, matchId, portRequests, readiness }: LaunchSpec,
  installationId: string,
) {
  return {
    labels: {
      [LABEL.installation]: hashOf(installationId, 40),
      [LABEL.instance]: labelValue(instanceId),
      [LABEL.attempt]: String(attempt),
      [LABEL.project]: labelValue(projectId),
      [LABEL.tier]: tier,
      ...(matchId === null ? {} : { [LABEL.match]: labelValue(matchId) }),
    },
    annotations: {
      [ANNOTATION.installation]: installationId,
      [ANNOTATION.instance]: instanceId,
      [ANNOTATION.attempt]: String(attempt),
      [ANNOTATION.readiness]: readiness,
      [ANNOTATION.size]: `${tierSize.cpus} ${tierSize.memoryGib}`,
      [ANNOTATION.ports]: JSON.stringify(portRequests),
    },
  }
}

/**
 * Returns the GameServer object of one launch. Its configuration is in a secret of the same name. The secret is created
 * after the GameServer and is deleted together with it.
 */
export function gameServerManifest(spec: LaunchSpec, settings: ManifestSettings): object {
  const { installationId } = settings
  const name = gameServerName(installationId, spec.instanceId, spec.attempt)
  const metadata = { ...launchMarks(spec, installationId), finalizers: [FINALIZER] }
  return {
    apiVersion: 'agones.dev/v1',
    kind: 'GameServer',
    metadata: { name, ...metadata },
    spec: gameServerSpec(spec, settings, metadata, OF_SECRET(name)),
  }
}

/** The volume and the mount that put the configuration at its fixed path. */
interface Delivery {
  readonly volume: object
  readonly mount: object
  /** Name of the secret with the variables that contain a secret; absent for a warm game server, which has no such variables. */
  readonly secretName?: string
}

/**
 * Returns the volume for a cold game server: one key of the launch's secret. A secret for a warm game server has
 * another key, so that no cold pod starts with its content.
 */
const OF_SECRET = (secretName: string): Delivery => ({
  volume: { secret: { secretName, defaultMode: 0o444, items: [{ key: CONFIG_FILE, path: CONFIG_FILE }] } },
  mount: { mountPath: CONFIG_PATH, subPath: CONFIG_FILE },
  secretName,
})

/**
 * The volume for a warm game server: a file with the content of a pod annotation, empty until the pod has the
 * annotation. A folder is mounted, because a single mounted file would never change.
 */
export const OF_ANNOTATION: Delivery = {
  volume: {
    downwardAPI: {
      defaultMode: 0o444,
      items: [{ path: CONFIG_FILE, fieldRef: { fieldPath: `metadata.annotations['${ANNOTATION.configuration}']` } }],
    },
  },
  mount: { mountPath: SERVICE_ROOT },
}

/** Agones divides a port with TCPUDP into two ports of one number, whose names end with `-tcp` and `-udp`. */
const AGONES_PROTOCOL: Readonly<Record<Protocol, string>> = { udp: 'UDP', tcp: 'TCP', 'tcp+udp': 'TCPUDP' }

export function gameServerSpec(
  started: Started,
  { template, health, imagePullSecrets }: ManifestSettings,
  metadata: object,
  delivery: Delivery,
): object {
  return {
    container: CONTAINER,
    ports: started.portRequests.map(({ protocol, internalPort }, index) => ({
      // The ports get numbered names, because port names of a build may contain characters that Kubernetes does not
      // allow.
      name: `p${index}`,
      portPolicy: 'Dynamic',
      container: CONTAINER,
      containerPort: internalPort,
      protocol: AGONES_PROTOCOL[protocol],
    })),
    health: health === undefined ? { disabled: true } : { disabled: false, ...health },
    template: { metadata, spec: podSpec(started, template, imagePullSecrets, delivery) },
  }
}

function podSpec(
  started: Started,
  template: TierTemplate,
  imagePullSecrets: readonly string[],
  { volume, mount, secretName }: Delivery,
): object {
  const { tierSize, build } = started
  const size = { cpu: String(tierSize.cpus), memory: `${Math.floor(tierSize.memoryGib * MIB_OF_GIB)}Mi` }
  const { nodeSelector, tolerations, priorityClassName } = template
  const environment = environmentOf(started)
  const args = argumentsOf(started, [...environment.keys()])
  return {
    // The platform never restarts the container, because the core decides about restarts.
    restartPolicy: 'Never',
    // Grace period when another program deletes the pod. It is the same as in a stop by this service.
    terminationGracePeriodSeconds: started.stopGraceSeconds ?? USUAL_GRACE_SECONDS,
    enableServiceLinks: false,
    // `automountServiceAccountToken` is not set here: it would apply to the whole pod, and Agones' sidecar ends without
    // a token. Agones hides the token from the game container.
    securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
    ...(nodeSelector === undefined ? {} : { nodeSelector }),
    ...(tolerations === undefined ? {} : { tolerations }),
    ...(priorityClassName === undefined ? {} : { priorityClassName }),
    ...(imagePullSecrets.length === 0 ? {} : { imagePullSecrets: imagePullSecrets.map((one) => ({ name: one })) }),
    volumes: [
      { name: 'config', ...volume },
      { name: 'home', emptyDir: { sizeLimit: SCRATCH } },
      { name: 'tmp', emptyDir: { sizeLimit: SCRATCH } },
    ],
    containers: [
      {
        name: CONTAINER,
        image: build.type === 'docker_image' ? build.image : '',
        // A node deletes logs together with their containers. With this policy, the last lines of a crashed server's
        // output stay in the pod's status.
        terminationMessagePolicy: 'FallbackToLogsOnError',
        ...(args.length === 0 ? {} : { args }),
        env: [
          ...[...environment].map(([variable, value]) => ({ name: variable, value })),
          ...ofQueue(started, secretName),
        ],
        resources: { requests: { ...size, ...template.requests }, limits: { ...size, ...template.limits } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [
          { name: 'config', ...mount, readOnly: true },
          { name: 'home', mountPath: HOME },
          { name: 'tmp', mountPath: '/tmp' },
        ],
      },
    ],
  }
}

/**
 * Returns the environment variables of a game server (docs/http-api.md §8). The port variables hold internal ports: a
 * server with a separate network listens on the ports that it was built for.
 */
const environmentOf = (started: Started): ReadonlyMap<string, string> =>
  new Map([
    ['LANG', 'C.UTF-8'],
    ['HOME', HOME],
    ['SVC_CONFIG_FILE', CONFIG_PATH],
    ...started.portRequests.map(({ name, internalPort }) => [portVariable(name), String(internalPort)] as const),
    ...traceVariable(started),
  ])

/**
 * Returns the variables of the queue. A variable that contains a secret is a reference to the secret of the launch, so that its value is not
 * in the game server's object. Kubernetes would replace `$(NAME)` in a plain value, so each `$` is doubled.
 */
const ofQueue = ({ environment = {}, secretVariables = [] }: Started, secretName: string | undefined): object[] =>
  Object.entries(environment).map(([name, value]) =>
    secretVariables.includes(name)
      ? { name, valueFrom: { secretKeyRef: { name: secretName, key: variableKey(name) } } }
      : { name, value: value.replaceAll('$', '$$$$') },
  )

/** Returns the key of a variable in the secret of a launch. */
export const variableKey = (name: string): string => `env.${name}`

// Separator that no argument contains: NUL, which ends strings in the operating system.
const MARK = '\0'

/**
 * Returns the arguments in Kubernetes' syntax. Kubernetes replaces `$(NAME)` by a variable and `$$` by `$`. So each `$`
 * of the text is doubled, and each reference to a variable is written as `$(NAME)`.
 */
function argumentsOf(started: Started, variables: readonly string[]): string[] {
  const place = new Map(variables.map((name) => [name, `${MARK}${name}${MARK}`]))
  return launchArguments(started, place).map((argument) =>
    argument
      .split(MARK)
      .map((part, index) => (index % 2 === 1 ? `$(${part})` : part.replaceAll('$', '$$$$')))
      .join(''),
  )
}
