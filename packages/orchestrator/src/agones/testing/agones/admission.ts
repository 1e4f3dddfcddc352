import type { Admission } from '../kubernetes/api'
import { invalid } from '../kubernetes/naming'
import { ALLOCATIONS, type Fields, GAMESERVERS, PODS } from '../kubernetes/objects'
import { isFieldPath } from '../kubernetes/volumes'

export const AGONES_FINALIZER = 'agones.dev/controller'
const POLICIES = ['Dynamic', 'Static', 'Passthrough', 'None']
const PROTOCOLS = ['UDP', 'TCP', 'TCPUDP']
const STATES = [
  ...['PortAllocation', 'Creating', 'Starting', 'Scheduled', 'RequestReady', 'Ready'],
  ...['Shutdown', 'Error', 'Unhealthy', 'Reserved', 'Allocated'],
]
const LABEL = /^(|[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)$/
const MAX_LABEL = 63
const MAX_ANNOTATIONS = 262_144
const CONTAINER = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const QUANTITY = /^\d+(\.\d+)?(m|k|Ki|M|Mi|G|Gi)?$/

/** Checks the labels and annotations of an object of any kind. */
export const metadataAdmission: Admission = (resource, object) => {
  const given = [object.metadata, object.spec?.template?.metadata]
  if (resource === ALLOCATIONS) given.push(object.spec?.metadata)
  for (const annotations of given.map((one) => one?.annotations ?? {})) {
    const bytes = Object.entries(annotations).reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0)
    if (bytes <= MAX_ANNOTATIONS) continue
    const words = `metadata.annotations: Too long: may not be more than ${MAX_ANNOTATIONS} bytes`
    throw invalid(resource, object.metadata?.name ?? '', words)
  }
  const sets = given.map((one) => one?.labels)
  for (const [key, value] of sets.flatMap((set) => Object.entries(set ?? {}))) {
    if (typeof value === 'string' && LABEL.test(value) && value.length <= MAX_LABEL) continue
    throw invalid(resource, object.metadata?.name ?? '', `metadata.labels: Invalid value: "${String(value)}" of ${key}`)
  }
}

/**
 * Does the work of Agones' webhooks for a GameServer: checks its schema, and fills in the defaults of a new GameServer.
 */
export const gameServerAdmission: Admission = (resource, object, before) => {
  if (resource !== GAMESERVERS) return
  const refuse = (why: string) => invalid(resource, object.metadata?.name ?? '', why)
  if (before === undefined) {
    checkServer(object, 'spec', refuse)
    applyDefaults(object)
  } else checkSpec(object.spec, 'spec', false, refuse)
  if (!STATES.includes(object.status?.state)) throw refuse(`status.state: Unsupported value: "${object.status?.state}"`)
}

export type Refuse = (why: string) => Error

/** Checks the schema of a new GameServer, or of a template for GameServers. */
export function checkServer({ spec }: Fields, at: string, refuse: Refuse): void {
  if (spec?.template?.spec === undefined) throw refuse(`${at}.template: Required value`)
  checkSpec(withDefaults(spec), at, true, refuse)
}

function checkSpec(spec: Fields, at: string, isNew: boolean, refuse: Refuse): void {
  const containers: Fields[] = spec.template?.spec?.containers ?? []
  if (containers.length === 0) throw refuse(`${at}.template.spec.containers: Required value`)
  for (const [index, container] of containers.entries())
    checkContainer(container, `${at}.template.spec.containers[${index}]`, refuse)
  if (spec.container === undefined)
    throw refuse(
      `${at}.container: Required value: Container is required when using multiple containers in the pod template`,
    )
  if (!containers.some(({ name }) => name === spec.container))
    throw refuse(
      `${at}.container: Invalid value: "${spec.container}": Could not find a container named ${spec.container}`,
    )
  for (const [index, port] of (spec.ports ?? []).entries()) checkPort(port, `${at}.ports[${index}]`, isNew, refuse)
}

function checkContainer(container: Fields, at: string, refuse: Refuse): void {
  const { name, image, resources = {} } = container
  if (typeof name !== 'string' || !CONTAINER.test(name)) throw refuse(`${at}.name: Invalid value: "${String(name)}"`)
  if (typeof image !== 'string' || image === '') throw refuse(`${at}.image: Required value`)
  for (const { name: variable, value, valueFrom } of container.env ?? []) {
    if (typeof variable !== 'string' || !/^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(variable))
      throw refuse(`${at}.env: Invalid value`)
    if (valueFrom === undefined && typeof value !== 'string')
      throw refuse(`${at}.env[${variable}].value: must be of type string`)
  }
  for (const text of Object.values({ ...resources.limits, ...resources.requests })) {
    if (!QUANTITY.test(String(text)))
      throw refuse(`${at}.resources: Invalid value: "${String(text)}": quantities must match a pattern`)
  }
}

function checkPort(port: Fields, at: string, isNew: boolean, refuse: Refuse): void {
  if (!POLICIES.includes(port.portPolicy)) throw refuse(`${at}.portPolicy: Unsupported value: "${port.portPolicy}"`)
  if (!PROTOCOLS.includes(port.protocol)) throw refuse(`${at}.protocol: Unsupported value: "${port.protocol}"`)
  const isNumber = Number.isInteger(port.containerPort) && port.containerPort > 0 && port.containerPort < 65_536
  if (port.portPolicy !== 'Passthrough' && !isNumber)
    throw refuse(`${at}.containerPort: Invalid value: ${port.containerPort}`)
  if (isNew && port.portPolicy === 'Dynamic' && port.hostPort > 0) {
    throw refuse(`${at}.hostPort: Forbidden: HostPort cannot be specified with a Dynamic or Passthrough PortPolicy`)
  }
}

/** Checks the volumes of a pod: each mount names a volume that exists, and each pod field in a volume is known. */
export const podAdmission: Admission = (resource, object) => {
  if (resource !== PODS) return
  const refuse = (why: string) => invalid(resource, object.metadata?.name ?? '', why)
  const volumes: Fields[] = object.spec.volumes ?? []
  for (const { name, downwardAPI } of volumes) {
    for (const { path, fieldRef } of downwardAPI?.items ?? []) {
      if (typeof path !== 'string' || path === '' || path.startsWith('/'))
        throw refuse(`spec.volumes[${name}].downwardAPI.path: Invalid value`)
      if (!isFieldPath(fieldRef?.fieldPath))
        throw refuse(`spec.volumes[${name}].downwardAPI.fieldRef.fieldPath: Invalid value: "${fieldRef?.fieldPath}"`)
    }
  }
  const paths = new Set<string>()
  for (const { name, mountPath } of object.spec.containers[0].volumeMounts ?? []) {
    if (!volumes.some((one) => one.name === name)) throw refuse(`volumeMounts.name: Not found: "${name}"`)
    if (paths.has(mountPath)) throw refuse(`volumeMounts.mountPath: Invalid value: "${mountPath}": must be unique`)
    paths.add(mountPath)
  }
}

function withDefaults(spec: Fields): Fields {
  const containers: Fields[] = spec.template.spec.containers ?? []
  const container = spec.container ?? (containers.length === 1 ? containers[0]?.name : undefined)
  const ports = (spec.ports ?? []).map((port: Fields) => ({
    name: 'default',
    portPolicy: 'Dynamic',
    protocol: 'UDP',
    ...port,
    container: port.container ?? container,
  }))
  return { scheduling: 'Packed', ...spec, container, ports }
}

function applyDefaults(object: Fields): void {
  object.spec = withDefaults(object.spec)
  object.metadata.finalizers = [...(object.metadata.finalizers ?? []), AGONES_FINALIZER]
  const isDynamic = object.spec.ports.some(({ portPolicy }: Fields) => portPolicy !== 'Static')
  object.status = { ...object.status, state: isDynamic ? 'PortAllocation' : 'Creating' }
}
