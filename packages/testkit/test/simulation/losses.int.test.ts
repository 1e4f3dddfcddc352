import { goBackTo } from '@matchyard/storage-memory'
import { keepInvariants } from './worlds'

/** Worlds with permanent losses: nodes with all their work in hand, or the last transactions of the storage. */
keepInvariants(
  [
    { name: 'three nodes with loops, of which some never come back', nodes: 3, loop: true, nodesGone: true, steps: 60 },
    { name: 'one node on a storage that goes back', nodes: 1, goBack: goBackTo, steps: 60 },
    { name: 'two nodes with loops on a storage that goes back', nodes: 2, loop: true, goBack: goBackTo, steps: 60 },
  ],
  30,
)
