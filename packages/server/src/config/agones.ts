import { readFileSync } from 'node:fs'
import { type MachineBeacon, REGIONS, type Region, TIERS } from '@matchyard/core'
import type { AgonesOrchestratorOptions } from '@matchyard/orchestrator/agones'
import { z } from 'zod'
import { clusterBeacons } from './beacon'
import { Fault } from './setting'

/** Options of the clusters that run game servers. */
export type AgonesOptions = Pick<
  AgonesOrchestratorOptions,
  | 'installationId'
  | 'kubeconfig'
  | 'namespace'
  | 'context'
  | 'regions'
  | 'tiers'
  | 'imagePullSecrets'
  | 'health'
  | 'registries'
> & {
  /** Beacons of the clusters, each with its region. Default: none. */
  readonly beacons?: readonly MachineBeacon[]
}

const name = z.string().min(1).max(253)
const quantities = z.record(name, z.string().min(1).max(32))
const seconds = z.int().min(1).max(86_400)
const templateSchema = z.strictObject({
  requests: quantities.optional(),
  limits: quantities.optional(),
  nodeSelector: z.record(name, z.string().max(63)).optional(),
  tolerations: z.array(z.record(z.string(), z.unknown())).max(100).optional(),
  priorityClassName: name.optional(),
})

const agonesSchema = z.strictObject({
  /**
   * Name of the installation: the same on all its nodes, and different from every other service in the namespace.
   * Labels of game servers contain it.
   */
  installation: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/),
  kubeconfig: z.string().min(1).optional(),
  namespace: name.optional(),
  context: name.optional(),
  regions: z.partialRecord(z.enum(REGIONS), name).optional(),
  tiers: z.partialRecord(z.enum([...TIERS, '*']), templateSchema).optional(),
  image_pull_secrets: z.array(name).max(100).optional(),
  health: z
    .strictObject({
      initialDelaySeconds: seconds.optional(),
      periodSeconds: seconds.optional(),
      failureThreshold: z.int().min(1).max(1_000).optional(),
    })
    .optional(),
  registries: z.array(name).max(100).optional(),
  beacons: clusterBeacons.optional(),
})

/** Reads the JSON file that AGONES_CONFIG names. */
export function readAgones(path: string): AgonesOptions | Fault {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const why =
      error instanceof SyntaxError ? 'is not JSON' : `cannot be read (${(error as NodeJS.ErrnoException).code})`
    return new Fault(`${path} ${why}; give a JSON file like {"installation":"arena","namespace":"games"}`)
  }
  const parsed = agonesSchema.safeParse(json)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`
    return new Fault(
      `${path}${where}: ${issue?.message ?? 'is not what it should be'}; docs/kubernetes.md has all of it`,
    )
  }
  const { installation, image_pull_secrets: imagePullSecrets, beacons = {}, ...rest } = parsed.data
  const listed = Object.entries(beacons).flatMap(([region, all]) =>
    all.map(({ host, udp_port: udpPort, url }) => ({ region: region as Region, host, udpPort, url })),
  )
  const given = {
    installationId: installation,
    ...rest,
    ...(imagePullSecrets === undefined ? {} : { imagePullSecrets }),
    beacons: listed,
  }
  return given as AgonesOptions
}
