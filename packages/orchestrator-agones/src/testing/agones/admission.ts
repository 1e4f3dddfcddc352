import type { Admission } from '../kubernetes/api'
import { type Fields, GAMESERVERS } from '../kubernetes/objects'
import { invalid } from '../kubernetes/store'

export const AGONES_FINALIZER = 'agones.dev/controller'
const POLICIES = ['Dynamic', 'Static', 'Passthrough', 'None']
const PROTOCOLS = ['UDP', 'TCP', 'TCPUDP']
const STATES = [
  ...['PortAllocation', 'Creating', 'Starting', 'Scheduled', 'RequestReady', 'Ready'],
  ...['Shutdown', 'Error', 'Unhealthy', 'Reserved', 'Allocated'],
]
const LABEL = /^(|[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)$/
const MAX_LABEL = 63
const CONTAINER = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const QUANTITY = /^\d+(\.\d+)?(m|k|Ki|M|Mi|G|Gi)?$/

/** Of every kind: what a label may hold. */
export const labelsAdmission: Admission = (resource, object) => {
  const sets = [object.metadata?.labels, object.spec?.template?.metadata?.labels]
  for (const [key, value] of sets.flatMap((set) => Object.entries(set ?? {}))) {
    if (typeof value === 'string' && LABEL.test(value) && value.length <= MAX_LABEL) continue
    throw invalid(resource, object.metadata?.name ?? '', `metadata.labels: Invalid value: "${String(value)}" of ${key}`)
  }
}

/** What Agones' webhooks do to a GameServer that is made: defaults, then its schema. */
export const gameServerAdmission: Admission = (resource, object, before) => {
  if (resource !== GAMESERVERS) return
  const refuse = (why: string) => invalid(resource, object.metadata?.name ?? '', why)
  const containers: Fields[] = object.spec?.template?.spec?.containers ?? []
  if (object.spec?.template?.spec === undefined) throw refuse('spec.template: Required value')
  if (containers.length === 0) throw refuse('spec.template.spec.containers: Required value')
  for (const [index, container] of containers.entries())
    checkContainer(container, `spec.template.spec.containers[${index}]`, refuse)
  if (object.spec.container === undefined && containers.length > 1) {
    throw refuse(
      'spec.container: Required value: Container is required when using multiple containers in the pod template',
    )
  }
  if (before === undefined) applyDefaults(object, String(containers[0]?.name))
  if (!containers.some(({ name }) => name === object.spec.container)) {
    throw refuse(
      `spec.container: Invalid value: "${object.spec.container}": Could not find a container named ${object.spec.container}`,
    )
  }
  for (const [index, port] of (object.spec.ports ?? []).entries())
    checkPort(port, `spec.ports[${index}]`, before === undefined, refuse)
  if (!STATES.includes(object.status?.state)) throw refuse(`status.state: Unsupported value: "${object.status?.state}"`)
}

type Refuse = (why: string) => Error

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

function applyDefaults(object: Fields, container: string): void {
  object.spec = { scheduling: 'Packed', ...object.spec, container: object.spec.container ?? container }
  object.spec.ports = (object.spec.ports ?? []).map((port: Fields) => ({
    name: 'default',
    portPolicy: 'Dynamic',
    protocol: 'UDP',
    ...port,
    container: port.container ?? object.spec.container,
  }))
  object.metadata.finalizers = [...(object.metadata.finalizers ?? []), AGONES_FINALIZER]
  const isDynamic = object.spec.ports.some(({ portPolicy }: Fields) => portPolicy !== 'Static')
  object.status = { ...object.status, state: isDynamic ? 'PortAllocation' : 'Creating' }
}
