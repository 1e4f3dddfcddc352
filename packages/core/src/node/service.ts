import type { Ports } from '../ports/ports'
import type { NodeState } from './node-state'

/** Ports and state of this node. A function that needs no state of the node takes `Ports` instead. */
export interface Service extends Ports {
  readonly node: NodeState
}
