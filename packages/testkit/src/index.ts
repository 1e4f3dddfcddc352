// Fakes of every port, and helpers for tests of the domain's decisions. The conformance suites and the simulator have
// separate entry points: `/storage`, `/orchestrator`, `/simulation` and `/matchmaking`.
export * from './fakes/index'
export * from './given-when-then/index'
