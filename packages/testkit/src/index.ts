// Fakes of every port, and the domain's decisions as sentences. The suites are beside it: `/storage`, `/orchestrator`, `/simulation`
// and `/matchmaking`.
export * from './fakes/index'
export * from './given-when-then/index'
