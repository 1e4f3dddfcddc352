import { keepInvariants } from './worlds'

/** A world without faults, and some with faults, with ticks as commands and with loops. */
keepInvariants(
  [
    { name: 'one node, no faults', nodes: 1, faults: false, steps: 80 },
    { name: 'two nodes with loops of their own that fail', nodes: 2, faults: true, loop: true, steps: 80 },
    { name: 'one node that fails', nodes: 1, faults: true, steps: 120 },
    { name: 'three nodes that fail', nodes: 3, faults: true, steps: 120 },
  ],
  60,
)
