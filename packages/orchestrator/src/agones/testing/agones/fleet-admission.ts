import type { Admission } from '../kubernetes/api'
import { invalid } from '../kubernetes/naming'
import { ALLOCATIONS, type Fields, FLEETS } from '../kubernetes/objects'
import { checkServer, type Refuse } from './admission'

const STRATEGIES = ['Recreate', 'RollingUpdate']
const SCHEDULING = ['Packed', 'Distributed']
/** Maximum length of a Fleet's name, in characters: the name is also a label value of the Fleet's GameServers. */
const NAME_LENGTH = 63

/**
 * Does the work of Agones' webhook for a Fleet: checks its schema and fills in the defaults. A client cannot change the
 * status of a Fleet.
 */
export const fleetAdmission: Admission = (resource, object, before) => {
  if (resource !== FLEETS) return
  const name = String(object.metadata?.name ?? '')
  const refuse = (why: string) => invalid(resource, name, why)
  if (object.spec?.template === undefined) throw refuse('spec.template: Required value')
  const { strategy = {}, replicas, scheduling = 'Packed' } = object.spec
  const { type = 'RollingUpdate' } = strategy
  if (name.length > NAME_LENGTH) throw refuse(`metadata.name: Too long: may not be more than ${NAME_LENGTH} bytes`)
  if (replicas !== undefined && !(Number.isInteger(replicas) && replicas >= 0))
    throw refuse(`spec.replicas: Invalid value: ${JSON.stringify(replicas)}: should be greater than or equal to 0`)
  if (!STRATEGIES.includes(type)) throw refuse(`spec.strategy.type: Unsupported value: "${type}"`)
  if (!SCHEDULING.includes(scheduling)) throw refuse(`spec.scheduling: Unsupported value: "${scheduling}"`)
  checkServer(object.spec.template, 'spec.template.spec', refuse)
  object.spec = { ...object.spec, scheduling, strategy: { ...strategy, type } }
  if (before === undefined) delete object.status
  else object.status = before.status
  if (object.status === undefined) delete object.status
}

const STATES = ['Ready', 'Allocated']

/** Checks the request of a GameServerAllocation. */
export const allocationAdmission: Admission = (resource, { metadata, spec = {} }) => {
  if (resource !== ALLOCATIONS) return
  const refuse: Refuse = (why) => invalid(resource, metadata?.name ?? '', why)
  const { scheduling = 'Packed', selectors = [], preferred = [], required = {} } = spec
  if (!SCHEDULING.includes(scheduling)) throw refuse(`spec.scheduling: Unsupported value: "${scheduling}"`)
  for (const list of [selectors, preferred])
    if (!Array.isArray(list)) throw refuse('spec.selectors: Invalid value: must be of type array')
  for (const selector of [...selectors, ...preferred, required]) checkSelector(selector, refuse)
  for (const [key, value] of Object.entries({ ...spec.metadata?.labels, ...spec.metadata?.annotations })) {
    if (typeof value !== 'string') throw refuse(`spec.metadata: Invalid value: ${key}: must be of type string`)
  }
}

function checkSelector({ gameServerState = 'Ready', matchLabels = {} }: Fields, refuse: Refuse): void {
  if (!STATES.includes(gameServerState))
    throw refuse(`spec.selectors: Invalid value: "${gameServerState}": must be either Allocated or Ready`)
  for (const value of Object.values(matchLabels))
    if (typeof value !== 'string') throw refuse(`spec.selectors: Invalid value: ${JSON.stringify(value)}`)
}
