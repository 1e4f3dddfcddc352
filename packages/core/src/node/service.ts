import type { Ports } from '../ports/ports'
import type { NodeState } from './node-state'

/** The ports and the state of this node. A function that needs no state of the node takes `Ports`. */
export interface Service extends Ports {
  readonly node: NodeState
}
