import type { Transition } from '../shared/transitions'
import type { DeliveryStatus } from './delivery'

/** Transitions of the status of a delivery (docs/http-api.md §10). */
export const DELIVERY_TRANSITIONS = [
  { from: null, trigger: 'send', to: 'pending', source: 'docs/http-api.md §10: in the commit that it tells of' },
  { from: 'pending', trigger: 'deliver', to: 'delivered', source: 'docs/http-api.md §10: the endpoint took it' },
  {
    from: 'pending',
    trigger: 'give_up',
    to: 'failed',
    source: 'docs/http-api.md §10: no success in three days, or its endpoint is disabled or gone',
  },
] as const satisfies readonly Transition<DeliveryStatus>[]

export type DeliveryTrigger = (typeof DELIVERY_TRANSITIONS)[number]['trigger']
