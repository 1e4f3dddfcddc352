import { keepInvariants, LATE_JOINS } from './worlds'

/** Worlds in which players keep seats of running matches for friends, who join by them. */
keepInvariants(
  [
    { name: 'seats for friends, one node', nodes: 1, faults: false, steps: 120, often: LATE_JOINS },
    { name: 'seats for friends, two nodes that fail', nodes: 2, faults: true, steps: 120, often: LATE_JOINS },
  ],
  30,
)
