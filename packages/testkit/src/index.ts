// Fakes of every port, and helpers for tests of the domain's decisions. The suites have their own entries: `/storage`, `/orchestrator`,
// `/simulation` and `/matchmaking`.
export * from './fakes/index'
export * from './given-when-then/index'
