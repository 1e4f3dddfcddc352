import { OPERATIONS as CALLS, type Operation as Call, type OperationFacts } from '@matchyard/core'

/** Facts of an operation that the core does not have, and that needs no credential. */
const open: OperationFacts = {
  credentials: [],
  player: 'none',
  role: null,
  refusals: [],
  fields: [],
  audit: undefined,
  place: undefined,
}

/** Facts of an operation that only the agent of a machine may call. */
const ofAgents: OperationFacts = { ...open, credentials: ['machine'] }

/** Operations of the HTTP interface that call no operation of the core. */
const OWN = {
  'auth.code': open,
  'machine.wanted': ofAgents,
  'machine.observed': ofAgents,
  'machine.build': ofAgents,
  'machine.archive': ofAgents,
  'system.start': open,
  'system.live': open,
  'system.ready': open,
  'system.openapi': open,
  'system.reference': open,
  'system.errors': open,
  'system.error': open,
  'system.metrics': open,
  'system.top': open,
} as const satisfies Record<string, OperationFacts>

/** Name of an operation in metrics, limits and the OpenAPI document. */
export type Operation = Call | keyof typeof OWN

/** Facts of every operation. Each operation has exactly one route. */
export const OPERATIONS: Readonly<Record<Operation, OperationFacts>> = { ...CALLS, ...OWN }
