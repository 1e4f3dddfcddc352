import type { LaunchSpec } from '@matchyard/core/ports'
import { portVariable } from '@matchyard/core/ports'
import { CONFIG_FILE, CONFIG_PATH, launchArguments, SERVICE_ROOT, traceVariable } from '../kit/index'
import { ANNOTATION, CONTAINER, FINALIZER, gameServerName, hashOf, LABEL, labelValue } from './names'

const HOME = '/home/game'
const SCRATCH = '64Mi'
const MIB_OF_GIB = 1_024

/** What pods of a tier are beyond its size. */
export interface TierTemplate {
  /** In place of the tier's own size, in the platform's words: `{ cpu: '500m', memory: '512Mi' }`. */
  readonly requests?: Readonly<Record<string, string>>
  readonly limits?: Readonly<Record<string, string>>
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly tolerations?: readonly object[]
  readonly priorityClassName?: string
}

/** How often Agones expects to hear of a game server that speaks to its SDK. */
export interface HealthTemplate {
  readonly initialDelaySeconds?: number
  readonly periodSeconds?: number
  readonly failureThreshold?: number
}

export interface ManifestSettings {
  readonly installationId: string
  readonly template: TierTemplate
  /** Left out, Agones asks for no sign of life: the service knows by other ways. */
  readonly health: HealthTemplate | undefined
  readonly imagePullSecrets: readonly string[]
}

/** What is started: a launch, or what waits for one. */
export type Started = Pick<
  LaunchSpec,
  'instanceId' | 'matchId' | 'region' | 'tierSize' | 'build' | 'startupArgs' | 'portRequests' | 'trace'
>

/** By what a launch is found, and read back whole; without what only this game server has. */
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

/** The game server of one launch. What it is told stands in a secret of its name, which is made after it and goes with it. */
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

/** How the configuration comes to the path where it always is. */
interface Delivery {
  readonly volume: object
  readonly mount: object
}

/** The key of a secret that is one launch's: one that holds another's starts nothing. */
const OF_SECRET = (secretName: string): Delivery => ({
  volume: { secret: { secretName, defaultMode: 0o444, items: [{ key: CONFIG_FILE, path: CONFIG_FILE }] } },
  mount: { mountPath: CONFIG_PATH, subPath: CONFIG_FILE },
})

/** Empty until the pod has the annotation. Mounted as a folder: a single file of a volume stays what it was. */
export const OF_ANNOTATION: Delivery = {
  volume: {
    downwardAPI: {
      defaultMode: 0o444,
      items: [{ path: CONFIG_FILE, fieldRef: { fieldPath: `metadata.annotations['${ANNOTATION.configuration}']` } }],
    },
  },
  mount: { mountPath: SERVICE_ROOT },
}

export function gameServerSpec(
  started: Started,
  { template, health, imagePullSecrets }: ManifestSettings,
  metadata: object,
  delivery: Delivery,
): object {
  return {
    container: CONTAINER,
    ports: started.portRequests.map(({ protocol, internalPort }, index) => ({
      // Names of ours hold what names of the platform's may not.
      name: `p${index}`,
      portPolicy: 'Dynamic',
      container: CONTAINER,
      containerPort: internalPort,
      protocol: protocol.toUpperCase(),
    })),
    health: health === undefined ? { disabled: true } : { disabled: false, ...health },
    template: { metadata, spec: podSpec(started, template, imagePullSecrets, delivery) },
  }
}

function podSpec(
  started: Started,
  template: TierTemplate,
  imagePullSecrets: readonly string[],
  { volume, mount }: Delivery,
): object {
  const { tierSize, build } = started
  const size = { cpu: String(tierSize.cpus), memory: `${Math.floor(tierSize.memoryGib * MIB_OF_GIB)}Mi` }
  const { nodeSelector, tolerations, priorityClassName } = template
  const environment = environmentOf(started)
  const args = argumentsOf(started, [...environment.keys()])
  return {
    // Restarts are core's.
    restartPolicy: 'Never',
    // A deletion by somebody else gives as much time as ours.
    terminationGracePeriodSeconds: 10,
    enableServiceLinks: false,
    // A word about the account's token would be the whole pod's, and Agones' sidecar ends without one; from the game's container Agones hides it.
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
        // A node removes logs with their containers; the end of a crash stays with the pod.
        terminationMessagePolicy: 'FallbackToLogsOnError',
        ...(args.length === 0 ? {} : { args }),
        env: [...environment].map(([variable, value]) => ({ name: variable, value })),
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

/** What a game server finds in its environment (docs/http-api.md §8): in a network of its own it listens where it was built to. */
const environmentOf = (started: Started): ReadonlyMap<string, string> =>
  new Map([
    ['LANG', 'C.UTF-8'],
    ['HOME', HOME],
    ['SVC_CONFIG_FILE', CONFIG_PATH],
    ...started.portRequests.map(({ name, internalPort }) => [portVariable(name), String(internalPort)] as const),
    ...traceVariable(started),
  ])

// No argument holds it: it would be the end of a text.
const MARK = '\0'

/**
 * The arguments as the platform takes them: it replaces `$(NAME)` itself, and `$$` by `$`, so what was written so is kept from it, and what is the
 * environment's is left to it.
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
