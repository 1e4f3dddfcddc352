import { OPERATIONS as CALLS, type Operation as Call, type OperationFacts } from '@matchyard/core'

/** Facts of an operation of the wire itself that needs no credential. */
const open: OperationFacts = { credentials: [], player: 'none', refusals: [], fields: [], place: undefined }

/** The operations that are no call of the service. */
const OWN = {
  'auth.code': open,
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

/** The name of an operation, as metrics, limits and the OpenAPI document know it. */
export type Operation = Call | keyof typeof OWN

/** Every operation: each has one route. */
export const OPERATIONS: Readonly<Record<Operation, OperationFacts>> = { ...CALLS, ...OWN }
